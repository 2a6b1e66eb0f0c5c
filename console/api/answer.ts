/** The family's envelope `{success, message, data}`, opened: its data, or its failure. */
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
