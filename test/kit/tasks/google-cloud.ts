/**
 * Google's services by their real addresses, for a gateway of a test: Vertex AI in one region, the endpoint where a service account
 * is exchanged for a token, and Cloud Storage, whose objects nobody reads without that token.
 */
import { generateKeyPairSync, verify } from 'node:crypto'
import type { Egress } from '../../../kernel/contract/services/egress.js'
import type { TestGateway } from '../gateway.js'
import { jsonIn, replied, type StrictReply } from './upstream.js'
import type { StrictVeo } from './veo.js'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** What an admin pastes as the key of a channel. */
export const serviceAccount = JSON.stringify({
  ...{ type: 'service_account', project_id: 'acme-1', private_key_id: 'k1' },
  client_email: 'clips@acme-1.iam.gserviceaccount.com',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
})

interface StrictGoogle {
  handle: StrictVeo['handle']
  /** By `bucket/object`; a test takes them away. */
  readonly objects: Map<string, Buffer>
  /** From now on the account may not read objects. */
  forbid(): void
}

export function strictGoogle(veo: StrictVeo): StrictGoogle {
  const objects = new Map<string, Buffer>()
  let isForbidden = false

  /** https://cloud.google.com/storage/docs/json_api/v1/objects/get */
  function stored(path: string, headers: Readonly<Record<string, string>>): StrictReply {
    const [, bucket, object = ''] =
      /^\/storage\/v1\/b\/([^/]+)\/o\/([^/?]+)\?alt=media$/.exec(path) ?? []
    if (headers.authorization !== 'Bearer token') return refused(401, 'Anonymous caller')
    if (isForbidden) return refused(403, 'clips@acme-1 does not have storage.objects.get access')
    const bytes = objects.get(`${bucket}/${decodeURIComponent(object)}`)
    if (bytes === undefined) return refused(404, `No such object: ${bucket}/${object}`)
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
    const type = { 'content-type': 'video/mp4' }
    if (from === undefined) return { status: 200, headers: type, body: bytes }
    const range = `bytes ${from}-${to}/${bytes.length}`
    const part = bytes.subarray(Number(from), Number(to) + 1)
    return { status: 206, headers: { ...type, 'content-range': range }, body: part }
  }

  return {
    objects,
    forbid() {
      isForbidden = true
    },
    handle(method, path, headers, body) {
      const [, host, rest = ''] = /^\/([^/]+)(\/.*)$/.exec(path) ?? []
      if (host === 'oauth2.googleapis.com' && method === 'POST') return exchanged(body)
      if (host === 'storage.googleapis.com' && method === 'GET') return stored(rest, headers)
      if (host !== 'us-central1-aiplatform.googleapis.com') return refused(404, `No host ${host}`)
      return veo.handle(method, rest, headers, body)
    },
  }
}

function exchanged(body: string): StrictReply {
  const assertion = new URLSearchParams(body).get('assertion') ?? ''
  const [header = '', claims = '', signature = ''] = assertion.split('.')
  const text = Buffer.from(`${header}.${claims}`)
  const isSigned = verify('RSA-SHA256', text, publicKey, Buffer.from(signature, 'base64url'))
  const { scope } = jsonIn(Buffer.from(claims, 'base64url').toString())
  if (!isSigned || scope !== 'https://www.googleapis.com/auth/cloud-platform') {
    return replied({ error: 'invalid_grant' }, 400)
  }
  return replied({ access_token: 'token', expires_in: 3599, token_type: 'Bearer' })
}

function refused(code: number, message: string): StrictReply {
  return replied({ error: { code, message } }, code)
}

/** Calls to Google's hosts arrive at the server of the test, with the host before the path. */
export function leadToTest({ gateway }: Pick<TestGateway, 'gateway'>, url: string): void {
  const egress = gateway.service('egress') as { open: Egress['open'] }
  const { open } = egress
  egress.open = (request) => {
    const { protocol, hostname, pathname, search } = new URL(request.url)
    const isGoogle = protocol === 'https:' && hostname.endsWith('.googleapis.com')
    return open(isGoogle ? { ...request, url: `${url}/${hostname}${pathname}${search}` } : request)
  }
}
