/** One signed call to a bucket, through egress (Signature Version 4). */
import aws4 from 'aws4'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Egress, EgressReply } from '../../../kernel/contract/services/egress.js'
import { EgressError } from '../../../kernel/toolkit/errors/index.js'
import { StorageFault } from './store.js'

interface Bucket {
  /** Without the bucket. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKey: string
  readonly secretKey: string
  readonly pathStyle: boolean
  readonly prefix: string
}

export interface S3CallDependencies {
  readonly egress: Pick<Egress, 'open'>
  readonly clock: Pick<Clock, 'now'>
  bucket(): Bucket
}

interface S3Request {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Absent: the bucket itself. */
  readonly name?: string
  /** As it is signed: names in their order, each with a value. */
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

export type Reply = Pick<EgressReply, 'status' | 'headers' | 'body'>

export interface S3Call {
  (request: S3Request): Promise<Reply>
  /** The name of a file by the key of its object. Undefined: it is none of ours. */
  nameOf(key: string): string | undefined
}

const headersTimeoutMs = 60_000
const idleTimeoutMs = 60_000

export function createS3Call({ egress, clock, bucket }: S3CallDependencies): S3Call {
  const call = async ({ method, name, query, headers = {}, body }: S3Request): Promise<Reply> => {
    const set = checked(bucket())
    const { origin, path } = addressOf(set, name)
    const target = query === undefined ? path : `${path}?${query}`
    const signed = signedHeaders({ method, origin, target, headers, body }, set, clock.now())
    try {
      return await egress.open({
        ...{ method, url: `${origin}${target}`, headers: signed, body, namedBy: 'admin' },
        ...{ headersTimeoutMs, idleTimeoutMs },
      })
    } catch (error) {
      if (!(error instanceof EgressError)) throw error
      const isRefused = error.failure.code === 'channel:address_refused'
      throw new StorageFault(
        isRefused ? 'The S3 address may not be called.' : 'The S3 server cannot be reached.',
        { cause: error },
      )
    }
  }
  return Object.assign(call, {
    nameOf(key: string): string | undefined {
      const start = prefixOf(bucket())
      return key.startsWith(start) && namePattern.test(key.slice(start.length))
        ? key.slice(start.length)
        : undefined
    },
  })
}

/** Of a file: nothing in it comes from an upstream or a client. */
export const namePattern = /^\d{4}-\d{2}\/task_[0-9A-Za-z]{1,64}-\d{1,3}$/

function checked(set: Bucket): Bucket {
  const fault = faultOf(set)
  if (fault !== undefined) throw new StorageFault(fault)
  return set
}

function faultOf({ endpoint, bucket, accessKey, secretKey, prefix }: Bucket): string | undefined {
  if (!/^https?:\/\/[^/?#@\s]+\/?$/.test(endpoint) || !URL.canParse(endpoint)) {
    return 'The S3 address must begin with https:// or http:// and have no path.'
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) return 'The S3 bucket is not set.'
  if (accessKey === '' || secretKey === '') return 'The keys of S3 are not set.'
  return /^[\w./-]*$/.test(prefix) && !prefix.split('/').some((part) => /^\.{1,2}$/.test(part))
    ? undefined
    : 'The S3 prefix has signs that are not taken.'
}

function addressOf({ endpoint, bucket, pathStyle, ...set }: Bucket, name?: string) {
  const url = new URL(endpoint)
  const path = name === undefined ? '' : `${prefixOf(set)}${name}`
  if (pathStyle) return { origin: url.origin, path: `/${bucket}${path && `/${path}`}` }
  return { origin: `${url.protocol}//${bucket}.${url.host}`, path: `/${path}` }
}

function prefixOf({ prefix }: Pick<Bucket, 'prefix'>): string {
  const parts = prefix.split('/').filter((part) => part !== '')
  return parts.map((part) => `${part}/`).join('')
}

interface Unsigned extends Pick<S3Request, 'method' | 'body'> {
  readonly origin: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
}

const connectionOwn: ReadonlySet<string> = new Set(['host', 'content-length'])

function signedHeaders(
  { method, origin, target, headers, body }: Unsigned,
  { region, accessKey, secretKey }: Bucket,
  now: number,
): Record<string, string> {
  const { host } = new URL(origin)
  const date = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const request = {
    ...{ method, host, path: target, body, region, service: 's3' },
    headers: { ...headers, host, 'x-amz-date': date },
    // The connection counts the body itself.
    extraHeadersToIgnore: { 'content-length': true },
  }
  const signed = aws4.sign(request, { accessKeyId: accessKey, secretAccessKey: secretKey })
  const lower = Object.entries(signed.headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), String(value)] as const,
  )
  return Object.fromEntries(lower.filter(([name]) => !connectionOwn.has(name)))
}

/** What the server's answer states, without anything it writes beside its own word. */
export function refusedBy(status: number, answer: string): StorageFault {
  const [, word] = /<Code>([A-Za-z0-9.]{1,64})<\/Code>/.exec(answer) ?? []
  return new StorageFault(
    `The S3 server returned ${status}${word === undefined ? '' : ` ${word}`}.`,
  )
}
