/**
 * A server of the S3 protocol for tests, strict where others forgive: it computes Signature Version 4 of each call by itself
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html), the hash of its body included, and refuses parts
 * that are too small, tags that are not its own, and operations nobody documented.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const s3Access = {
  accessKey: 'AKIDOFTESTS',
  secretKey: 'secret/of+the+tests',
  region: 'eu-test-1',
  bucket: 'clips',
} as const

export interface S3Server {
  readonly url: string
  readonly objects: Map<string, { readonly bytes: Buffer; readonly type: string }>
  /** Upload → its parts. */
  readonly uploads: Map<string, Upload>
  /** Method and path of each call that was signed rightly. */
  readonly calls: string[]
  /** Refuses the next calls with this word of the protocol. */
  refuseWith(word: string | undefined): void
  /** Runs before an object or a part is kept. */
  before(run: (() => void) | undefined): void
}

interface Upload {
  readonly key: string
  readonly type: string
  readonly begun: Date
  readonly parts: Map<number, Buffer>
}

const partBytesMin = 5 * 1024 * 1024

export async function s3Server(t: { teardown(run: () => Promise<void>): void }): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map()
  const uploads: S3Server['uploads'] = new Map()
  const calls: string[] = []
  let refusal: string | undefined
  let before: (() => void) | undefined

  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body = Buffer.concat(pieces)
    const fault = signatureFault(request, body)
    if (fault !== undefined) return refuse(response, 403, fault)
    calls.push(`${request.method} ${request.url}`)
    if (refusal !== undefined) return refuse(response, 403, refusal)
    serve(request, response, body)
  })

  function serve(request: IncomingMessage, response: ServerResponse, body: Buffer) {
    const url = new URL(request.url ?? '', 'http://host')
    const [, bucket, ...rest] = url.pathname.split('/')
    if (bucket !== s3Access.bucket) return refuse(response, 404, 'NoSuchBucket')
    const key = decodeURIComponent(rest.join('/'))
    const type = String(request.headers['content-type'] ?? '')
    const id = url.searchParams.get('uploadId')
    const begins = url.searchParams.get('uploads') === ''
    const send = (status: number, text: string, headers = {}) =>
      void response.writeHead(status, headers).end(text)
    switch (`${request.method} ${id ? 'upload' : begins ? 'uploads' : 'object'}`) {
      case 'PUT object':
        before?.()
        objects.set(key, { bytes: body, type })
        return send(200, '', { etag: tagOf(body) })
      case 'GET object':
        return object(key, request.headers.range, response)
      case 'DELETE object':
        objects.delete(key)
        return send(204, '')
      case 'POST uploads': {
        const made = `${randomUUID()}+/&=`
        uploads.set(made, { key, type, begun: new Date(), parts: new Map() })
        return send(200, `<R><UploadId>${made.replaceAll('&', '&amp;')}</UploadId></R>`)
      }
      case 'GET uploads':
        return send(200, listed())
      case 'PUT upload': {
        const upload = uploads.get(id!)
        if (upload === undefined) return refuse(response, 404, 'NoSuchUpload')
        before?.()
        upload.parts.set(Number(url.searchParams.get('partNumber')), body)
        return send(200, '', { etag: tagOf(body) })
      }
      case 'DELETE upload':
        return uploads.delete(id!) ? send(204, '') : refuse(response, 404, 'NoSuchUpload')
      case 'POST upload':
        return complete(id!, body.toString('utf8'), response)
      default:
        return refuse(response, 405, 'MethodNotAllowed')
    }
  }

  function object(key: string, range: string | undefined, response: ServerResponse) {
    const found = objects.get(key)
    if (found === undefined) return refuse(response, 404, 'NoSuchKey')
    const { bytes, type } = found
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
    if (from === undefined) {
      response.writeHead(200, { 'content-type': type, 'content-length': bytes.length }).end(bytes)
      return
    }
    const stretch = bytes.subarray(Number(from), Number(to) + 1)
    const contentRange = `bytes ${from}-${to}/${bytes.length}`
    response.writeHead(206, { 'content-type': type, 'content-range': contentRange }).end(stretch)
  }

  function complete(id: string, listed: string, response: ServerResponse) {
    const upload = uploads.get(id)
    if (upload === undefined) return refuse(response, 404, 'NoSuchUpload')
    const named = [...listed.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)]
    const parts = named.map(([, number]) => upload.parts.get(Number(number)))
    const isRight = named.every(
      ([, number, tag], at) =>
        Number(number) === at + 1 && parts[at] !== undefined && tag === tagOf(parts[at]),
    )
    if (!isRight || named.length === 0) return refuse(response, 400, 'InvalidPart')
    const isSmall = parts.slice(0, -1).some((part) => part!.length < partBytesMin)
    if (isSmall) return refuse(response, 400, 'EntityTooSmall')
    objects.set(upload.key, { bytes: Buffer.concat(parts as Buffer[]), type: upload.type })
    uploads.delete(id)
    response.writeHead(200).end('<CompleteMultipartUploadResult/>')
  }

  function listed(): string {
    const each = [...uploads].map(
      ([id, { key, begun }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id.replaceAll('&', '&amp;')}</UploadId>` +
        `<Initiated>${begun.toISOString()}</Initiated></Upload>`,
    )
    return `<ListMultipartUploadsResult>${each.join('\n')}</ListMultipartUploadsResult>`
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ objects, uploads, calls },
    refuseWith(word) {
      refusal = word
    },
    before(run) {
      before = run
    },
  }
}

function refuse(response: ServerResponse, status: number, word: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<Error><Code>${word}</Code><Message>${word} of the server</Message></Error>`)
}

function tagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`
}

const authorization =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/

/** The protocol's word for what is wrong with the signature. */
function signatureFault({ method, url, headers }: IncomingMessage, body: Buffer) {
  const [, access, day, region, names = '', signature] =
    authorization.exec(headers.authorization ?? '') ?? []
  const date = String(headers['x-amz-date'])
  const hash = createHash('sha256').update(body).digest('hex')
  if (access !== s3Access.accessKey) return 'InvalidAccessKeyId'
  if (region !== s3Access.region || !date.startsWith(day!)) return 'AuthorizationHeaderMalformed'
  if (Math.abs(Date.now() - timeOf(date)) > 900_000) return 'RequestTimeTooSkewed'
  if (headers['x-amz-content-sha256'] !== hash) return 'XAmzContentSHA256Mismatch'
  const signed = names.split(';')
  const mustBe = ['host', 'x-amz-date', 'x-amz-content-sha256']
  if (!mustBe.every((name) => signed.includes(name))) return 'AccessDenied'
  const [path = '', query = ''] = (url ?? '').split('?')
  const canonical = [
    method,
    path,
    query.split('&').filter(Boolean).sort().join('&'),
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    hash,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const digest = createHash('sha256').update(canonical).digest('hex')
  const key = [day!, region, 's3', 'aws4_request'].reduce<Buffer>(
    (last, part) => createHmac('sha256', last).update(part).digest(),
    Buffer.from(`AWS4${s3Access.secretKey}`),
  )
  const text = ['AWS4-HMAC-SHA256', date, scope, digest].join('\n')
  const right = createHmac('sha256', key).update(text).digest('hex')
  return right === signature ? undefined : 'SignatureDoesNotMatch'
}

/** Of `20150830T123600Z`. */
function timeOf(date: string): number {
  return Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
}
