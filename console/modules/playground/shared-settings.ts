/**
 * Settings in the fragment of an address, which browsers do not send to a server: models, group, system prompt, streaming and
 * parameters. The conversation, and a body written by hand, stay out of it.
 */
import { drawnKey } from '../../api/drawn-key.js'
import { readSettings, type Settings } from './settings.js'

const mark = '#settings='
/** Letters; longer addresses are cut by programs that pass them on. */
const addressMax = 16_000

export type SharedSettings = Pick<
  Settings,
  'group' | 'columns' | 'system' | 'stream' | 'parameters'
>

/** Undefined: it would be too long, by its system prompt. */
export function sharedAddress(page: string, settings: Settings): string | undefined {
  const { group, columns, system, stream, parameters } = settings
  const models = columns.map(({ model }) => model)
  const bytes = new TextEncoder().encode(
    JSON.stringify({ group, models, system, stream, parameters }),
  )
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  const address = page + mark + text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return address.length > addressMax ? undefined : address
}

/** Undefined: the fragment holds no settings, or not whole ones. */
export function readShared(fragment: string): SharedSettings | undefined {
  if (!fragment.startsWith(mark)) return undefined
  const stored = decoded(fragment.slice(mark.length))
  if (typeof stored !== 'object' || stored === null) return undefined
  const { models } = stored as { readonly models?: unknown }
  const named = Array.isArray(models) ? models : []
  const columns = named.map((model: unknown) => ({ id: drawnKey(), model }))
  const { group, system, stream, parameters, ...read } = readSettings({ ...stored, columns })
  return { group, columns: read.columns, system, stream, parameters }
}

function decoded(text: string): unknown {
  try {
    const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0))
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
