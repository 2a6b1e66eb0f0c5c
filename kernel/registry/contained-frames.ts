/** `Adapter.frames` as the gateway calls it. Faults count against the sessions that were begun, however many frames each has. */
import type { FrameTranslator, TranslatedFrames } from '../contract/frames.js'
import type { Adapter } from '../contract/provider.js'
import type { Health, Tally } from './health.js'
import { areTranslatedFrames, isFrameTranslator } from './provider-shapes.js'
import { contained, faultOf, sound } from './verb.js'

export function containedFrames(adapter: Adapter, health: Health): Adapter['frames'] {
  const { frames } = adapter
  if (frames === undefined) return undefined
  const tally = health.tally('frames')
  const begin = contained(tally, frames.bind(adapter), isFrameTranslator)
  return (...given) => new ContainedTranslator(tally, begin(...given))
}

class ContainedTranslator implements FrameTranslator {
  constructor(
    private readonly tally: Tally,
    private readonly translator: FrameTranslator,
  ) {}

  opened(): TranslatedFrames {
    return this.piece('opened', () => this.translator.opened())
  }

  fromClient(frame: Buffer): TranslatedFrames {
    return this.piece('fromClient', () => this.translator.fromClient(frame))
  }

  fromUpstream(frame: Buffer): TranslatedFrames {
    return this.piece('fromUpstream', () => this.translator.fromUpstream(frame))
  }

  private piece(part: string, translate: () => TranslatedFrames): TranslatedFrames {
    const began = this.tally.beganPiece()
    try {
      return sound(translate(), areTranslatedFrames)
    } catch (error) {
      throw faultOf(this.tally, error, part)
    } finally {
      this.tally.ended(began)
    }
  }
}
