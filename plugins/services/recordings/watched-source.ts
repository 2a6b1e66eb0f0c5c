/** A source of bytes whose bytes are also kept. */
import type { ByteSource } from '../../../kernel/contract/bytes.js'
import type { BodyParts } from './body.js'

export function watchedSource(source: ByteSource, body: BodyParts): ByteSource {
  return {
    get declaredBytes() {
      return source.declaredBytes
    },
    consume: (consumer) =>
      source.consume({
        data(chunk) {
          body.add(chunk)
          return consumer.data(chunk)
        },
        end: () => consumer.end(),
        fail: (failure) => consumer.fail(failure),
      }),
    resume: () => source.resume(),
    abort: () => source.abort(),
  }
}
