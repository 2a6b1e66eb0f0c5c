/** Models of embeddings, as data: in which form they are asked, how many inputs one call holds, and which lengths a vector has. */
import type { Fact } from '../../../kernel/toolkit/vendors/index.js'

export interface EmbeddingModel extends Fact {
  readonly models: RegExp
  readonly form: 'titan' | 'titan multimodal' | 'cohere' | 'nova'
  /** Inputs of one call at most. */
  readonly inputsMax: number
  /** Lengths a client may choose. Absent: the model has one. */
  readonly dimensions?: readonly number[]
  /** Pictures are taken beside texts. */
  readonly images?: true
}

const read = '2026-11-27'

const embeddingModels: readonly EmbeddingModel[] = [
  {
    models: /amazon\.titan-embed-text-v2/,
    form: 'titan',
    inputsMax: 1,
    dimensions: [256, 512, 1024],
    source: 'docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html',
    read,
  },
  {
    models: /amazon\.titan-embed-(?:g1-)?text(?!-v2)/,
    form: 'titan',
    inputsMax: 1,
    source: 'docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html',
    read,
  },
  {
    models: /amazon\.titan-embed-image/,
    form: 'titan multimodal',
    inputsMax: 1,
    dimensions: [256, 384, 1024],
    images: true,
    source: 'docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-mm.html',
    read,
  },
  {
    models: /cohere\.embed-v[4-9]/,
    form: 'cohere',
    inputsMax: 96,
    dimensions: [256, 512, 1024, 1536],
    images: true,
    source: 'docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed-v4.html',
    read,
  },
  {
    models: /cohere\.embed-(?!v[4-9])/,
    form: 'cohere',
    inputsMax: 96,
    source: 'docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed-v3.html',
    read,
  },
  {
    models: /amazon\.nova-(?:\d-)?multimodal-embeddings/,
    form: 'nova',
    inputsMax: 1,
    dimensions: [256, 384, 1024, 3072],
    images: true,
    source: 'docs.aws.amazon.com/nova/latest/userguide/embeddings-schema.html',
    read,
  },
]

/** Undefined: the model makes no vectors. */
export function embeddingModel(model: string): EmbeddingModel | undefined {
  return embeddingModels.find(({ models }) => models.test(model))
}
