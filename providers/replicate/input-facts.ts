/** The words of models that differ from the usual ones. */
import { isAbout, type ModelFact } from '../../kernel/toolkit/vendors/index.js'

export interface InputFact extends ModelFact {
  /** The input of pictures to begin with. Absent: none is known. */
  readonly pictures?: {
    readonly name: string
    readonly most: number
    /** One is a list too. */
    readonly isList: boolean
  }
  /** How more than one picture is asked for. Absent: in the usual word; `one`: it makes one. */
  readonly several?: 'one' | 'max_images' | 'number_of_images'
  /** Fields of OpenAI's form it has a word for, under the same name. */
  readonly words?: readonly string[]
}

const read = '2026-11-27'

const facts: readonly InputFact[] = [
  {
    models: /^black-forest-labs\/flux-kontext-(?:pro|max)\b/,
    pictures: { name: 'input_image', most: 1, isList: false },
    ...{ several: 'one', source: 'replicate.com/black-forest-labs/flux-kontext-pro', read },
  },
  {
    models: /^black-forest-labs\/flux-2-pro\b/,
    pictures: { name: 'input_images', most: 8, isList: true },
    ...{ several: 'one', source: 'replicate.com/black-forest-labs/flux-2-pro', read },
  },
  {
    models: /^bytedance\/seedream-4$/,
    pictures: { name: 'image_input', most: 10, isList: true },
    ...{ several: 'max_images', source: 'replicate.com/bytedance/seedream-4', read },
  },
  {
    models: /^bytedance\/seedream-(?:4\.5|5-lite)$/,
    pictures: { name: 'image_input', most: 14, isList: true },
    ...{ several: 'max_images', source: 'replicate.com/bytedance/seedream-4.5', read },
  },
  {
    models: /^bytedance\/seedream-5-pro$/,
    pictures: { name: 'image_input', most: 10, isList: true },
    ...{ several: 'one', source: 'replicate.com/bytedance/seedream-5-pro', read },
  },
  {
    models: /^google\/(?:nano-banana|gemini-2\.5-flash-image)$/,
    pictures: { name: 'image_input', most: Number.POSITIVE_INFINITY, isList: true },
    ...{ several: 'one', source: 'replicate.com/google/nano-banana', read },
  },
  {
    models: /^openai\/gpt-image-1\.5$/,
    several: 'number_of_images',
    words: ['quality', 'background', 'moderation', 'input_fidelity', 'output_compression'],
    ...{ source: 'replicate.com/p/z3jpsevkdhrm80cv56maz0tehw', read },
  },
]

/** Undefined: a model with the usual words, as far as anybody knows. */
export function inputFact(model: string): InputFact | undefined {
  return facts.find((fact) => isAbout(fact, model))
}
