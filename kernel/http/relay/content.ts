/**
 * Content that passes through to the client: as fast as it is taken, and never more of it in memory than the sink holds for a
 * slow client (S7). A source that breaks off, or is not as long as it was declared, cuts the connection: nobody takes the part
 * for the whole.
 */
import type { EndpointStream } from '../../contract/endpoint.js'
import type { ErrorCode } from '../../contract/error-code.js'
import type { ResponseSink } from './sink.js'

export type ContentSink = Pick<
  ResponseSink,
  'contentHead' | 'write' | 'end' | 'destroy' | 'onGone' | 'onDrain' | 'note' | 'finished'
>

/** Resolves once nothing more is sent, whatever the reason. Never rejects. */
export function sendContent(
  sink: ContentSink,
  { status, headers: given, body }: EndpointStream,
  { headOnly }: { readonly headOnly: boolean },
): Promise<void> {
  return new Promise((resolve) => {
    const { length, headers } = declared(given)
    let written = 0
    const cut = (code: ErrorCode) => {
      sink.note({ code })
      sink.destroy()
    }
    sink.onGone(() => {
      body.abort()
      resolve()
    })
    if (sink.finished) return
    sink.contentHead(status, headers)
    if (headOnly) {
      body.abort()
      sink.end()
      resolve()
      return
    }
    sink.onDrain(() => body.resume())
    body.consume({
      data(chunk) {
        written += chunk.length
        if (written <= (length ?? written)) return sink.write(chunk)
        body.abort()
        cut('upstream_broke_off')
        return false
      },
      end() {
        if (length !== undefined && written < length) {
          cut('upstream_broke_off')
          return
        }
        sink.end()
        resolve()
      },
      fail: ({ code }) => cut(code),
    })
  })
}

/** A length that is none is left out: the content is sent in pieces. */
function declared(headers: EndpointStream['headers']): {
  readonly length?: number
  readonly headers: EndpointStream['headers']
} {
  const { 'content-length': length, ...others } = headers
  if (length === undefined || !/^\d{1,15}$/.test(length)) return { headers: others }
  return { length: Number(length), headers }
}
