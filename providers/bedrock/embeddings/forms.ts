/** The bodies of InvokeModel for vectors, one for each maker. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { notExpressible } from '../../../kernel/toolkit/errors/index.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import type { EmbeddingModel } from './facts.js'
import type { Input, Picture } from './inputs.js'

export interface EmbeddingForm {
  readonly model: EmbeddingModel
  /** What the vectors are for, where the client does not say; in Cohere's words. */
  readonly purpose: string
}

/** @param inputs as many as one call holds */
export function embeddingBody(
  inputs: readonly Input[],
  requested: JsonObject,
  { model, purpose }: EmbeddingForm,
): JsonObject {
  const asked: Asked = { ...requested, input_type: requested.input_type ?? purpose }
  return forms[model.form](inputs, asked, dimensionsOf(requested.dimensions, model))
}

type Asked = JsonObject & { readonly input_type: Json }
type Form = (inputs: readonly Input[], asked: Asked, dimensions: number | undefined) => JsonObject

const forms: Readonly<Record<EmbeddingModel['form'], Form>> = {
  titan: ([input], { normalize }, dimensions) =>
    present({ inputText: textOf(input), dimensions, normalize }),

  'titan multimodal': ([input], _asked, dimensions) =>
    present({
      inputText: textOf(input),
      inputImage: pictureOf(input)?.base64,
      embeddingConfig: dimensions && { outputEmbeddingLength: dimensions },
    }),

  cohere: (inputs, { input_type, truncate, max_tokens }, dimensions) =>
    present({
      input_type,
      embedding_types: ['float'],
      ...cohereInputs(inputs),
      output_dimension: dimensions,
      ...{ truncate, max_tokens },
    }),

  nova: ([input], { input_type, truncate }, dimensions) => ({
    taskType: 'SINGLE_EMBEDDING',
    singleEmbeddingParams: present({
      embeddingPurpose: purposes[String(input_type)] ?? input_type,
      embeddingDimension: dimensions,
      ...novaInput(input, truncate),
    }),
  }),
}

function dimensionsOf(requested: Json | undefined, model: EmbeddingModel): number | undefined {
  if (requested === undefined || requested === null) return undefined
  const known = model.dimensions?.find((one) => one === requested)
  if (known === undefined) throw notExpressible('dimensions')
  return known
}

/** Texts alone where there is nothing else: older models know no other inputs. */
function cohereInputs(inputs: readonly Input[]): JsonObject {
  const texts = inputs.flatMap((input) => textOf(input) ?? [])
  if (texts.length === inputs.length) return { texts }
  return { inputs: inputs.map((input) => ({ content: [cohereContent(input)] })) }
}

/** The address stands bare here, other than at its maker's. */
function cohereContent(input: Input): JsonObject {
  return 'text' in input
    ? { type: 'text', text: input.text }
    : { type: 'image_url', image_url: input.image.url }
}

/** A text that is too long is refused, as OpenAI refuses it, unless the client wants it cut. */
function novaInput(input: Input | undefined, truncate: Json | undefined): JsonObject {
  const picture = pictureOf(input)
  if (picture === undefined) {
    return { text: { truncationMode: truncate ?? 'NONE', value: textOf(input) ?? '' } }
  }
  const { format, base64 } = picture
  return { image: { format, source: { bytes: base64 } } }
}

const purposes: Readonly<Record<string, string>> = {
  search_document: 'GENERIC_INDEX',
  search_query: 'GENERIC_RETRIEVAL',
  classification: 'CLASSIFICATION',
  clustering: 'CLUSTERING',
}

function textOf(input: Input | undefined): string | undefined {
  return input !== undefined && 'text' in input ? input.text : undefined
}

function pictureOf(input: Input | undefined): Picture | undefined {
  return input !== undefined && 'image' in input ? input.image : undefined
}
