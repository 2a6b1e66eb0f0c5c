/** One answer while it is written: what of it has come, in tokens. */
import type { Usage } from '../../../kernel/contract/event.js'
import { TokenCounter } from '../../../kernel/toolkit/format/index.js'
import { decodedLength, outputTokens } from './audio.js'
import type { Range } from './frame.js'

const countedBytesMax = 4 * 1024 * 1024

export class Answer {
  private readonly text = new TokenCounter()
  private audioBytes = 0

  /** @param bytesPerSecond of the audio it speaks in */
  constructor(private readonly bytesPerSecond: number) {}

  get estimatedTokens(): number {
    return this.text.estimatedTokens + this.outputAudio
  }

  get counts(): Usage {
    return { output: this.text.estimatedTokens, outputAudio: this.outputAudio }
  }

  addText(frame: Buffer, { from, to }: Range): void {
    // Counting more of one frame would take too long, and no honest piece of an answer is larger.
    this.text.addJson(frame, from, Math.min(to, from + countedBytesMax))
  }

  addAudio({ from, to }: Range): void {
    this.audioBytes += decodedLength(to - from)
  }

  private get outputAudio(): number {
    return outputTokens(this.audioBytes / this.bytesPerSecond)
  }
}
