/** How a route sends the channel's key: as a bearer unless it sets another way, in a header, in the query, or not at all. */
import { isObject, type Json } from '../../kernel/contract/json.js'
import type { Credentials } from '../../kernel/contract/provider.js'

export type RouteAuth =
  | { readonly type: 'none' }
  | { readonly type: 'header' | 'query'; readonly name: string; readonly value: string }

const placeholder = '{api_key}'
const bearer = { type: 'header', name: 'authorization', value: `Bearer ${placeholder}` } as const

/** Headers about how a message is carried, or what else a client's may be. */
const reserved: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'transfer-encoding',
  'upgrade',
])

/** What is wrong with it, as the end of a sentence that begins with its place; undefined: nothing is. */
export function faultOfAuth(auth: Json | undefined): string | undefined {
  if (auth === undefined || auth === null) return undefined
  if (!isObject(auth)) return ' must be an object'
  const { type, name, value } = auth
  if (type !== 'none' && type !== 'header' && type !== 'query') {
    return '.type must be none, header or query'
  }
  if (type === 'none') return undefined
  if (typeof name !== 'string' || !/^[\w-]{1,64}$/.test(name)) return '.name is no name'
  if (type === 'header' && reserved.has(name.toLowerCase())) return '.name is not to be set'
  const isText = value === undefined || (typeof value === 'string' && /^[ -~]*$/.test(value))
  return isText ? undefined : '.value must be a plain text'
}

/** `auth` must be without fault. Where no value is given it is the key, behind `Bearer` in the header of that name. */
export function authOf(auth: Json | undefined): RouteAuth {
  if (!isObject(auth)) return bearer
  if (auth.type === 'none') return { type: 'none' }
  const name = String(auth.name)
  const type = auth.type === 'query' ? 'query' : 'header'
  const isBearer = type === 'header' && name.toLowerCase() === 'authorization'
  const value = typeof auth.value === 'string' && auth.value !== '' ? auth.value : undefined
  return {
    type,
    name: type === 'header' ? name.toLowerCase() : name,
    value: value ?? (isBearer ? bearer.value : placeholder),
  }
}

export interface Sent {
  readonly headers: Readonly<Record<string, string>>
  /** `name=value` for the query; empty: none. */
  readonly query: string
}

export function sent(auth: RouteAuth, { key, token }: Credentials): Sent {
  if (auth.type === 'none') return { headers: {}, query: '' }
  const value = auth.value.replaceAll(placeholder, () => (token ?? key).trim())
  return auth.type === 'header'
    ? { headers: { [auth.name]: value }, query: '' }
    : { headers: {}, query: `${auth.name}=${encodeURIComponent(value)}` }
}
