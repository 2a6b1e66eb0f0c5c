/** The family's envelope `{success, message, data}`, opened: its data, or its failure. A file comes without one. */
import { ApiFailure } from './failure.js'

export interface Envelope<Data> {
  readonly data: Data
  readonly message: string
  /** Fields the family has beside `data`. */
  readonly beside: Readonly<Record<string, unknown>>
}

type Body = Readonly<Record<string, unknown>>

/** Rejects with an `ApiFailure`, or with the reason of `signal`. */
export async function readAnswer<Data>(
  response: Response,
  signal: AbortSignal | undefined,
): Promise<Envelope<Data>> {
  const body = await bodyOf(response, signal)
  if (response.ok && body.success !== false) return envelope<Data>(body)
  throw failureOf(response, body)
}

export interface AnsweredFile {
  readonly name: string
  readonly content: Blob
}

/** A file of this media type. Rejects as `readAnswer` does, and where something else came in place of it. */
export async function readFile(
  response: Response,
  type: string,
  signal: AbortSignal | undefined,
): Promise<AnsweredFile> {
  if (!response.ok) throw failureOf(response, await bodyOf(response, signal))
  const { headers } = response
  const isWanted = headers.get('content-type')?.split(';')[0]?.trim() === type
  if (!isWanted) throw new ApiFailure('The gateway did not return a file.', 0, 'unreachable')
  try {
    const content = await response.blob()
    return { name: fileNameIn(headers.get('content-disposition') ?? ''), content }
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ApiFailure('The file did not arrive whole.', 0, 'unreachable')
  }
}

/** The gateway names its files in percent-encoded UTF-8 (RFC 6266). */
function fileNameIn(disposition: string): string {
  const [, name] = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition) ?? []
  return name === undefined ? 'file' : decodeURIComponent(name)
}

/** Rejects where the answer broke off, and where it is none of the gateway's. */
async function bodyOf(response: Response, signal: AbortSignal | undefined): Promise<Body> {
  try {
    const body: unknown = JSON.parse(await response.text())
    return typeof body === 'object' && body !== null ? (body as Body) : {}
  } catch (cause) {
    if (signal?.aborted) throw cause
    if (!response.ok) return {}
    throw new ApiFailure('The answer of the gateway did not arrive whole.', 0, 'unreachable')
  }
}

function envelope<Data>(body: Body): Envelope<Data> {
  const { data, message, success: _, ...beside } = body
  return { data: data as Data, message: String(message ?? ''), beside }
}

function failureOf(response: Response, body: Body): ApiFailure {
  const text = (name: string) => {
    const value = body[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const wait = Number(response.headers.get('retry-after'))
  return new ApiFailure(
    text('message') ?? `The gateway answered ${response.status}.`,
    response.status,
    text('code') ?? '',
    text('field'),
    Number.isFinite(wait) && wait > 0 ? wait : undefined,
    text('scope'),
    response.headers.get('x-request-id') ?? undefined,
    response.headers.get('x-challenge') ?? undefined,
  )
}
