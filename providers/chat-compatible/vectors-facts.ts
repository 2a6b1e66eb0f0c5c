/** Services that take less in a call for vectors than clients may send. */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Fact } from '../../kernel/toolkit/vendors/index.js'

export interface VectorsFact extends Fact {
  /** Texts at once: more are sent in several calls. */
  readonly textsAtOnce: (model: string) => number
  /** Numbers are not packed. */
  readonly floatsOnly?: true
}

const read = '2026-11-27'

export const ofBaidu: VectorsFact = {
  textsAtOnce: (model) => (model === 'tao-8k' ? 1 : 16),
  source: 'cloud.baidu.com/doc/qianfan-api/s/Fm7u3ropn',
  read,
}

export const ofTencent: VectorsFact = {
  textsAtOnce: () => 128,
  floatsOnly: true,
  source: 'cloud.tencent.com/document/product/1823/133515',
  read,
}

/** The gateway packs the numbers where the client wants them packed. */
export function unpacked(fact: VectorsFact | undefined, wire: JsonObject): JsonObject {
  return fact?.floatsOnly === true && wire.encoding_format === 'base64'
    ? { ...wire, encoding_format: 'float' }
    : wire
}
