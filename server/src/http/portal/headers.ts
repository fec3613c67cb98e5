/** What may happen in the portal (Content Security Policy, level 3): its own scripts, styles and pictures from this host, calls to this service, and nothing else. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  // No text becomes a script or markup, whatever a library does: there is no policy that would let one.
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** Powers of the browser that the portal has no use for (Permissions Policy). It copies to the clipboard. */
const permissionsPolicy = [
  ...[
    "accelerometer",
    "autoplay",
    "camera",
    "display-capture",
    "encrypted-media",
    "fullscreen",
    "geolocation",
    "gyroscope",
  ],
  ...[
    "hid",
    "identity-credentials-get",
    "idle-detection",
    "local-fonts",
    "magnetometer",
    "microphone",
    "midi",
    "otp-credentials",
  ],
  "payment",
  "picture-in-picture",
  "screen-wake-lock",
  "serial",
  "storage-access",
  "usb",
  "xr-spatial-tracking",
]
  .map((power) => `${power}=()`)
  .concat("clipboard-write=(self)")
  .join(", ");

/** Headers of every file of the portal. */
export const everyFile = {
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
} as const;

/** Headers of what pages of other origins load. A page that names its hash (`integrity`) needs the second. */
export const sharedFile = {
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Access-Control-Allow-Origin": "*",
  "Cache-Control": "public, max-age=300",
} as const;

/** Headers of its pages. */
export const everyPage = {
  "Content-Security-Policy": contentSecurityPolicy,
  "Permissions-Policy": permissionsPolicy,
  "Cross-Origin-Opener-Policy": "same-origin",
} as const;
