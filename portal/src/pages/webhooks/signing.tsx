/** How the holder of an endpoint's secret checks a delivery. */
export function Signing() {
  return (
    <p>
      Each delivery is signed with it as{" "}
      <a className="font-medium text-accent underline underline-offset-2" href="/docs/guide/webhooks">
        Standard Webhooks
      </a>{" "}
      say. Verify the signature before using a delivery.
    </p>
  );
}
