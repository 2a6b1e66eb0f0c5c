/**
 * Signature Version 4 (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html): over
 * method, path, headers and body exactly as they go out.
 */
import aws4 from 'aws4'

export interface Unsigned {
  readonly method: 'GET' | 'POST'
  readonly url: string
  /** Lower-case names. All of them are signed. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export interface SigningOptions {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
  readonly region: string
  readonly service: string
  /** Unix milliseconds. */
  readonly now: number
}

/** The package takes it; its types do not know it. */
interface SignedRequest extends aws4.Request {
  readonly extraHeadersToIgnore: Readonly<Record<string, boolean>>
}

/** The headers of the call with date, session token and signature. The host is the connection's own to send. */
export function signedHeaders(call: Unsigned, options: SigningOptions): Record<string, string> {
  const { host, pathname, search } = new URL(call.url)
  const { accessKeyId, secretAccessKey, sessionToken, region, service, now } = options
  const request: SignedRequest = {
    method: call.method,
    host,
    path: pathname + search,
    headers: { ...call.headers, host, 'x-amz-date': dateOf(now) },
    body: call.body,
    region,
    service,
    // The connection counts the body itself.
    extraHeadersToIgnore: { 'content-length': true },
  }
  const { headers } = aws4.sign(request, { accessKeyId, secretAccessKey, sessionToken })
  return sent(headers ?? {})
}

/** As `20150830T123600Z`. */
function dateOf(now: number): string {
  return new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '')
}

const connectionOwn: ReadonlySet<string> = new Set(['host', 'content-length'])

function sent(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])
  return Object.fromEntries(lower.filter(([name]) => !connectionOwn.has(name!)))
}
