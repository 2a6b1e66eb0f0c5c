/**
 * Ranking by Amazon's model and the operation Rerank, the one way its documents show
 * (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_agent-runtime_Rerank.html). It has a host of its own, and API keys
 * do not open it.
 */
import type { Body } from '../../../kernel/contract/body.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type {
  AddressContext,
  ChannelView,
  Credentials,
  OwnOperationAdapter,
} from '../../../kernel/contract/provider.js'
import { notExpressible } from '../../../kernel/toolkit/errors/index.js'
import { objectsOf, replyObject } from '../../../kernel/toolkit/json/index.js'
import { garbled, jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { post } from '../call.js'
import { fail } from '../fail.js'
import { readKey } from '../key.js'
import { modelBehind } from '../model.js'
import { documentsOf, fieldsOf, plainText, queryOf, rankingOf } from './documents.js'

export const amazonRerank: OwnOperationAdapter = {
  format: 'own',
  serves: (channel, model) => /amazon\.rerank/.test(modelBehind(channel, model)),
  shape: (body) => ({ kind: 'json', value: request(jsonOf(body)) }),
  address,
  answer,
  fail,
}

function request(requested: JsonObject): JsonObject {
  const sources = documentsOf(requested)
  const { top_n: most = null } = requested
  if (most === 0) throw notExpressible('top_n')
  const numberOfResults = most === null ? sources.length : Math.min(Number(most), sources.length)
  return {
    queries: [{ type: 'TEXT', textQuery: { text: queryOf(requested) } }],
    sources: sources.map(sourceOf),
    rerankingConfiguration: {
      type: 'BEDROCK_RERANKING_MODEL',
      bedrockRerankingConfiguration: { numberOfResults },
    },
  }
}

function sourceOf(document: Json): JsonObject {
  const text = plainText(document)
  const inlineDocumentSource =
    text === undefined
      ? { type: 'JSON', jsonDocument: fieldsOf(document) }
      : { type: 'TEXT', textDocument: { text } }
  return { type: 'INLINE', inlineDocumentSource }
}

/** The model stands in the body, by an ARN that names the region. */
function address(
  wire: Body,
  channel: ChannelView,
  credentials: Credentials,
  context: AddressContext,
) {
  const { model } = context
  const modelArn = model.startsWith('arn:')
    ? model
    : arnOf(model, readKey(credentials.key, channel))
  const value = wire.kind === 'json' ? withModel(wire.value, modelArn) : {}
  const call = { endpoint: 'agents', path: '/rerank', accept: 'application/json' } as const
  return post({ ...call, body: JSON.stringify(value) }, channel, credentials, context)
}

function arnOf(model: string, { region }: { readonly region: string }): string {
  const partition = region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws'
  return `arn:${partition}:bedrock:${region}::foundation-model/${model}`
}

function withModel(value: JsonObject, modelArn: string): JsonObject {
  const { rerankingConfiguration: configuration } = value as { rerankingConfiguration?: JsonObject }
  const inner = configuration?.bedrockRerankingConfiguration as JsonObject | undefined
  const bedrockRerankingConfiguration = { ...inner, modelConfiguration: { modelArn } }
  return { ...value, rerankingConfiguration: { ...configuration, bedrockRerankingConfiguration } }
}

function answer({ body }: WholeAnswer, requested: Body, model: string) {
  const { results } = replyObject(body) ?? {}
  if (!Array.isArray(results)) return { failure: garbled() }
  const ranked = objectsOf(results).map(({ index, relevanceScore: score }) => ({ index, score }))
  return { json: rankingOf(jsonOf(requested), model, ranked) }
}
