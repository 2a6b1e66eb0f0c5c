/** Channel types this area treats specially, beyond the manifests of the providers. */

/** Tasks that make videos; its channels may be set up before anything serves them. */
export const doubaoVideo = 54

/** The field of the provider that the family keeps in the column `other`, by channel type (management/README.md section 8). */
export const otherField: Readonly<Record<number, string>> = {
  3: 'api_version',
  24: 'api_version',
  39: 'account',
  41: 'region',
  49: 'bot_id',
}
