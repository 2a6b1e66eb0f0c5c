/** The discovery document: fetched when it is needed, kept for ten minutes, and again when the settings change. */
import type { ExportedJWKSCache, ServerMetadata } from 'openid-client'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import { parsedObject, someText } from '../../../kernel/toolkit/json/index.js'
import { speaksForTenants } from './entra.js'

export interface Discovered {
  readonly server: ServerMetadata
  /** Signing keys as they were fetched last. */
  keys: ExportedJWKSCache | undefined
}

const keptMs = 600_000
const path = '/.well-known/openid-configuration'

export function discovery({ settings, clock, fetch }: OutgoingKit): () => Promise<Discovered> {
  let kept: { readonly until: number; readonly found: Promise<Discovered> } | undefined
  settings.onChange(() => {
    kept = undefined
  })

  async function find(): Promise<Discovered> {
    const address = settings.string('wellKnown')
    const response = await fetch(address, { headers: { accept: 'application/json' } })
    const server = parsedObject(await response.text())
    if (!response.ok || server === undefined) {
      throw new Error(`The discovery document was answered with status ${response.status}.`)
    }
    const issuer = someText(server.issuer)
    if (issuer === undefined || !isIssuerOf(issuer, address)) {
      throw new Error('The discovery document names an issuer that is not at its address.')
    }
    return { server: { ...server, issuer }, keys: undefined }
  }

  return () => {
    if (kept !== undefined && kept.until > clock.now()) return kept.found
    const entry = { until: clock.now() + keptMs, found: find() }
    kept = entry
    // What failed is tried again by the next who needs it.
    entry.found.catch(() => {
      if (kept === entry) kept = undefined
    })
    return entry.found
  }
}

/** A document speaks for the issuer below whose address it stands, and for nobody else. */
function isIssuerOf(issuer: string, address: string): boolean {
  if (!URL.canParse(issuer)) return false
  if (speaksForTenants(issuer, new URL(address).href.replace(path, ''))) return true
  const own = new URL(issuer)
  const expected = new URL(own.href.replace(/\/$/, '') + path)
  return expected.href === new URL(address).href
}
