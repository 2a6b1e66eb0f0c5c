/** The client of openid-client: made anew for each call from what was discovered, since its clock and settings may have moved. */
import type * as OpenId from 'openid-client'
import type { OutgoingKit, Settings } from '../../../kernel/contract/kit.js'
import { discovery } from './discovery.js'
import { anyAccounts, isOfManyTenants } from './entra.js'

export interface Client {
  readonly openid: typeof OpenId
  readonly config: OpenId.Configuration
  /** Signing keys that were fetched meanwhile serve the next call too. */
  kept(): void
}

export function clientFactory(kit: OutgoingKit): () => Promise<Client> {
  const { settings, clock, fetch } = kit
  const discovered = discovery(kit)

  return async () => {
    // Loaded with the first sign-in: most gateways never need it.
    const openid = await import('openid-client')
    const found = await discovered()
    const server = { ...found.server, ...endpointsIn(settings) }
    const secret = settings.string('clientSecret')
    const config = await configured(
      openid,
      server,
      settings.string('clientId'),
      { [openid.clockSkew]: Math.round((clock.now() - Date.now()) / 1000) },
      authentication(openid, server, secret),
    )
    config[openid.customFetch] = (url, { method, headers, body }) =>
      fetch(url, {
        method,
        headers,
        ...(body !== undefined && body !== null && { body: String(body) }),
      })
    if (server.issuer.startsWith('http:')) openid.allowInsecureRequests(config)
    openid.enableNonRepudiationChecks(config)
    if (found.keys !== undefined) openid.setJwksCache(config, found.keys)
    const kept = () => {
      found.keys = openid.getJwksCache(config)
    }
    return { openid, config, kept }
  }
}

/** The library fills an issuer of many tenants in by its own discovery alone: there it is given what was discovered. */
async function configured(
  openid: typeof OpenId,
  server: OpenId.ServerMetadata,
  ...client: [string, Partial<OpenId.ClientMetadata>, OpenId.ClientAuth]
): Promise<OpenId.Configuration> {
  if (!isOfManyTenants(server.issuer)) return new openid.Configuration(server, ...client)
  const document = async () => Response.json(server)
  return openid.discovery(new URL(anyAccounts), ...client, { [openid.customFetch]: document })
}

/** What an admin named stands before what was discovered. */
function endpointsIn(settings: Settings): Partial<OpenId.ServerMetadata> {
  const named = {
    authorization_endpoint: settings.string('authorizationEndpoint'),
    token_endpoint: settings.string('tokenEndpoint'),
    userinfo_endpoint: settings.string('userInfoEndpoint'),
    jwks_uri: settings.string('jwksUri'),
  }
  return Object.fromEntries(Object.entries(named).filter(([, address]) => address !== ''))
}

/** In the form where the provider takes it there, else by HTTP Basic, which every provider must take. */
function authentication(openid: typeof OpenId, server: OpenId.ServerMetadata, secret: string) {
  if (secret === '') return openid.None()
  const ways = server.token_endpoint_auth_methods_supported
  return ways?.includes('client_secret_post')
    ? openid.ClientSecretPost(secret)
    : openid.ClientSecretBasic(secret)
}
