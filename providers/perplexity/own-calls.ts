/**
 * A stream without the announcements of calls the service makes itself: it writes each as a call of a function, which a
 * client would take for its own to run. What came of them follows as items of their own kinds and passes.
 */
import type { Transform } from '../../kernel/contract/format.js'
import { type Frame, SseFramer } from '../../kernel/toolkit/format/index.js'
import { objectOf, parsedObject } from '../../kernel/toolkit/json/index.js'

/** Names no client may give a function (its guide to integration styles, read 2026-11-22). */
const reserved: ReadonlySet<unknown> = new Set([
  'web_search',
  'search_web',
  'people_search',
  'search_people',
  'fetch_url',
  'finance_search',
  'sandbox',
])

export function withoutOwnCalls(): Transform<Buffer, Buffer> {
  return new AgentStream()
}

class AgentStream implements Transform<Buffer, Buffer> {
  private readonly framer = new SseFramer()

  push(chunk: Buffer): Buffer[] {
    return passed(this.framer.push(chunk))
  }

  flush(): Buffer[] {
    return passed(this.framer.flush())
  }
}

const announcement = Buffer.from('response.output_item.added')

function passed(frames: readonly Frame[]): Buffer[] {
  return frames.filter((frame) => !isOwnCall(frame)).map(({ bytes }) => bytes)
}

function isOwnCall({ bytes, data }: Frame): boolean {
  if (!bytes.includes(announcement)) return false
  const item = objectOf(parsedObject(data)?.item)
  return item?.type === 'function_call' && reserved.has(item.name)
}
