/**
 * Google's cloud by its real addresses: the token service, which takes statements that a service account signed, and Vertex AI in
 * any region, by those tokens.
 */
import { verify } from 'node:crypto'
import { account, publicKey } from '../../providers/vertex-account.js'
import { json, type Recorded, type Script } from '../upstream.js'

export interface VertexCloud {
  readonly script: Script
  /** Statements that were exchanged for a token so far. */
  exchanges(): number
  /** The tokens that are out end before their time. */
  expire(): void
}

const tokenService = '/oauth2.googleapis.com/token'
const hostOf =
  /^\/(?:[a-z0-9-]+-)?aiplatform\.googleapis\.com(\/v1(?:beta1)?\/projects\/[^/]+\/locations\/[^/]+\/)/

/** `serve` gets what is authorised, at the path behind the host. */
export function vertexCloud(serve: Script): VertexCloud {
  let exchanged = 0
  const good = new Set<string>()
  const issue: Script = (request, response) => {
    const fault = faultOf(request)
    if (fault !== undefined) return json(400, fault)(request, response)
    exchanged += 1
    const token = `ya29.${exchanged}`
    good.add(`Bearer ${token}`)
    const answer = { access_token: token, expires_in: 3599, token_type: 'Bearer' }
    return json(200, answer)(request, response)
  }
  return {
    exchanges: () => exchanged,
    expire: () => good.clear(),
    script(request, response) {
      if (request.path === tokenService) return issue(request, response)
      if (!hostOf.test(request.path)) return json(404, {})(request, response)
      const isKnown = good.has(String(request.headers.authorization))
      return isKnown ? serve(request, response) : unauthenticated(request, response)
    },
  }
}

const unauthenticated = json(401, {
  error: {
    code: 401,
    message: 'Request had invalid authentication credentials.',
    status: 'UNAUTHENTICATED',
  },
})

/** https://developers.google.com/identity/protocols/oauth2/service-account#httprest, read 2026-11-21. */
function faultOf({ text }: Recorded): object | undefined {
  const form = new URLSearchParams(text)
  const [header = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
  const signed = Buffer.from(`${header}.${claims}`)
  if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') {
    return { error: 'unsupported_grant_type' }
  }
  // As told in github.com/googleapis/google-cloud-python/issues/10004, read 2026-11-27.
  if (!verify('RSA-SHA256', signed, publicKey, Buffer.from(signature, 'base64url'))) {
    return { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }
  }
  const { iss, aud, scope, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const isRight =
    iss === account.client_email &&
    aud === 'https://oauth2.googleapis.com/token' &&
    scope === 'https://www.googleapis.com/auth/cloud-platform' &&
    exp > iat &&
    exp - iat <= 3600
  return isRight ? undefined : { error: 'invalid_grant', error_description: 'Invalid JWT.' }
}
