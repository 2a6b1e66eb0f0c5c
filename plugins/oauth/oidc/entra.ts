/**
 * Microsoft Entra ID for the people of many tenants: one document for all of them, whose issuer is a template. A token is
 * one tenant's, by `tid`; so its issuer is the template with that tenant, and it is signed by a key of that issuer
 * (https://learn.microsoft.com/entra/identity-platform/access-tokens, read 2026-11-27).
 */
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import { parsedObject } from '../../../kernel/toolkit/json/index.js'

const origin = 'https://login.microsoftonline.com'
const placeholder = '{tenantid}'
const template = `${origin}/${placeholder}/v2.0`
/** Work, school and personal accounts; work and school accounts. */
export const anyAccounts = `${origin}/common/v2.0`
const organizations = `${origin}/organizations/v2.0`
/** The tenant of all personal accounts. */
const personal = '9188040d-6c67-4c5b-b112-36a304b66dad'

export function isOfManyTenants(issuer: string): boolean {
  return issuer === template
}

/** Whether a document at the place of `issuer` speaks for all tenants. */
export function speaksForTenants(issuer: string, place: string): boolean {
  return isOfManyTenants(issuer) && (place === anyAccounts || place === organizations)
}

interface SigningKey {
  readonly kid?: string
  /** Whose tokens it signs, as Entra's documents of keys have it. */
  readonly issuer?: unknown
}

interface Terms {
  /** As the document names it. */
  readonly issuer: string
  /** Address of the discovery document. */
  readonly wellKnown: string
  /** Ids of those whose people may sign in. Empty: all. */
  readonly allowed: readonly string[]
  /** The keys the id token was checked with. */
  readonly keys: readonly SigningKey[]
}

/**
 * The tenant within which a verified id token tells who it is; undefined: its issuer is one of its own. Throws where the
 * token is of no tenant, or of one that may not sign in.
 */
export function tenantOf(
  claims: JsonObject | undefined,
  idToken: string | undefined,
  { issuer, wellKnown, allowed, keys }: Terms,
): string | undefined {
  const isTemplate = isOfManyTenants(issuer)
  if (!isTemplate && allowed.length === 0) return undefined
  const tenant = claims?.tid
  if (typeof tenant !== 'string' || !isGuid(tenant)) {
    throw new Error('The id token names no tenant of the person.')
  }
  if (isTemplate) assertOwn(claims!, idToken, { tenant, keys })
  const isPersonal = tenant === personal
  if (isTemplate && isPersonal && wellKnown.startsWith(organizations)) {
    throw new Error('A personal account is of no organization.')
  }
  if (allowed.length > 0 && !allowed.includes(tenant)) {
    throw new Error('People of this tenant may not sign in.')
  }
  return isTemplate ? tenant : undefined
}

function assertOwn(
  { iss }: JsonObject,
  idToken: string | undefined,
  { tenant, keys }: { readonly tenant: string; readonly keys: readonly SigningKey[] },
): void {
  if (iss !== ofTenant(template, tenant)) throw new Error('The id token is of another issuer.')
  const kid = headerOf(idToken).kid
  const used = keys.filter((key) => key.kid === kid)
  const isOwn = ({ issuer }: SigningKey) =>
    typeof issuer === 'string' && ofTenant(issuer, tenant) === iss
  if (typeof kid !== 'string' || used.length === 0 || !used.every(isOwn)) {
    throw new Error('The id token is signed by a key of another issuer.')
  }
}

function ofTenant(issuer: string, tenant: string): string {
  return issuer.split(placeholder).join(tenant)
}

function headerOf(idToken = ''): JsonObject {
  const [header = ''] = idToken.split('.')
  const value = parsedObject(Buffer.from(header, 'base64url').toString('utf8'))
  return isObject(value) ? value : {}
}

function isGuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}
