/*
 * Keys and tokens that their issuers made recognisable by a prefix (as documented by each issuer, most of them for secret scanning). What may stand behind
 * the prefix: n letters and digits, w these with _ and -, x small hexadecimal, u upper-case letters and digits.
 */
export interface SecretFormat {
  readonly format: string;
  readonly prefix: string;
  readonly made: "n" | "w" | "x" | "u";
  /** How many characters stand behind the prefix. */
  readonly least: number;
  readonly most: number;
}

const rows = [
  "aws_access_key AKIA,ASIA,ABIA,ACCA u 16",
  "github_token ghp_,gho_,ghu_,ghs_,ghr_ n 36-251",
  "github_fine_grained_token github_pat_ w 60-251",
  "gitlab_token glpat-,gldt-,glrt-,glptt-,glcbt- w 20-64",
  "slack_token xoxb-,xoxp-,xoxa-,xoxr-,xoxs-,xoxe-,xapp- w 24-255",
  "stripe_key sk_live_,sk_test_,rk_live_,rk_test_ n 16-247",
  "stripe_webhook_secret whsec_ n 24-64",
  "google_api_key AIza w 35",
  "google_oauth_secret GOCSPX- w 28",
  "google_access_token ya29. w 40-2048",
  "anthropic_key sk-ant- w 32-200",
  "openai_key sk-proj-,sk-svcacct-,sk-admin- w 40-200",
  "openai_key sk- n 48",
  "huggingface_token hf_ n 34",
  "groq_key gsk_ n 52",
  "replicate_token r8_ n 37",
  "npm_token npm_ n 36",
  "pypi_token pypi- w 60-255",
  "rubygems_key rubygems_ x 48",
  "docker_token dckr_pat_ w 27",
  "digitalocean_token dop_v1_,doo_v1_,dor_v1_ x 64",
  "shopify_token shpat_,shpca_,shppa_,shpss_ x 32",
  "databricks_token dapi x 32",
  "hashicorp_vault_token hvs.,hvb. w 24-255",
  "grafana_token glsa_ w 41",
  "linear_key lin_api_ n 40",
  "supabase_token sbp_ x 40",
  "postman_key PMAK- w 59",
  "new_relic_key NRAK- u 27",
  "square_token sq0atp-,sq0csp- w 22-43",
  "age_secret_key AGE-SECRET-KEY-1 u 58",
];

export const secretFormats: readonly SecretFormat[] = rows.flatMap((row) => {
  const [format = "", prefixes = "", made = "", lengths = ""] = row.split(" ");
  const [least = "", most = least] = lengths.split("-");
  return prefixes.split(",").map((prefix) => ({
    format,
    prefix,
    made: made as SecretFormat["made"],
    least: Number(least),
    most: Number(most),
  }));
});
