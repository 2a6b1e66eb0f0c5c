/** The size a picture has where a request names none: the service requires one, but of models that keep what they are shown. */
import type { Fact } from '../../kernel/toolkit/vendors/index.js'

interface SizeFact extends Fact {
  readonly models: RegExp
  /** Absent: the model takes no size at all. */
  readonly size?: string
}

const source = 'docs.siliconflow.cn/api-reference/images/images-generations (image_size)'
const read = '2026-11-27'

/** The first that is about a model counts; of others nothing is known, and nothing is added. */
const sizes: readonly SizeFact[] = [
  { models: /qwen-image-edit/i, source, read },
  { models: /qwen-image/i, size: '1328x1328', source, read },
  { models: /kolors/i, size: '1024x1024', source, read },
]

export function usualSize(model: string): string | undefined {
  return factOf(model)?.size
}

export function takesSize(model: string): boolean {
  const fact = factOf(model)
  return fact === undefined || fact.size !== undefined
}

function factOf(model: string): SizeFact | undefined {
  return sizes.find(({ models }) => models.test(model))
}
