/**
 * The key of a channel: a service account as its JSON file has it, which is exchanged for tokens, or an API key of
 * express mode, which goes out as it is.
 */
import { isObject } from '../../kernel/contract/json.js'

export interface ServiceAccount {
  readonly project: string
  readonly email: string
  /** PEM. */
  readonly privateKey: string
  readonly privateKeyId?: string
}

/** Undefined: the key is no service account. One in a list of its own is one. */
export function serviceAccount(key: string): ServiceAccount | undefined {
  const value = parsed(key)
  const account: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  if (!isObject(account)) return undefined
  const { project_id: project, client_email: email, private_key, private_key_id } = account
  if (typeof project !== 'string' || !/^[a-z][a-z0-9:.-]{3,62}$/.test(project)) return undefined
  if (typeof email !== 'string' || typeof private_key !== 'string') return undefined
  return {
    project,
    email,
    // Some copies of the file have its line breaks escaped twice.
    privateKey: private_key.replaceAll('\\n', '\n'),
    ...(typeof private_key_id === 'string' && { privateKeyId: private_key_id }),
  }
}

function parsed(key: string): unknown {
  if (!/^\s*[{[]/.test(key)) return undefined
  try {
    return JSON.parse(key)
  } catch {
    return undefined
  }
}
