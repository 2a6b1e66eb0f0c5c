/** Reads the discovery document of a provider, so that an admin need not copy its addresses. */
import type { Egress } from '../../../kernel/contract/services/egress.js'
import { readAll } from '../../../kernel/toolkit/body/index.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { parsedObject, textOf } from '../../../kernel/toolkit/json/index.js'

const path = '/.well-known/openid-configuration'
const bytesMax = 256 * 1024
const timeoutMs = 10_000

/** `address`: of the document, or of the issuer whose document it is. */
export async function discover(egress: Egress, address: string) {
  const url = address.includes('/.well-known/') ? address : address.replace(/\/+$/, '') + path
  const document = await read(egress, url)
  const scopes = document.scopes_supported
  return {
    well_known: url,
    issuer: textOf(document.issuer) ?? '',
    authorization_endpoint: textOf(document.authorization_endpoint) ?? '',
    token_endpoint: textOf(document.token_endpoint) ?? '',
    user_info_endpoint: textOf(document.userinfo_endpoint) ?? '',
    scopes_supported: Array.isArray(scopes) ? scopes.flatMap((one) => textOf(one) ?? []) : [],
  }
}

async function read(egress: Egress, url: string) {
  try {
    const { status, body } = await egress.open({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
      namedBy: 'admin',
      headersTimeoutMs: timeoutMs,
      idleTimeoutMs: timeoutMs,
    })
    const document = parsedObject((await readAll(body, bytesMax)).toString())
    if (status === 200 && document !== undefined) return document
  } catch {
    // The reason is of no use to the caller: the address is wrong or its server does not answer.
  }
  const reason = 'There is no discovery document at this address.'
  throw new Refusal('invalid_field', { reason, param: 'url' })
}
