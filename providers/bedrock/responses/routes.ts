/**
 * Where OpenAI's models have the responses API, as data. Its newer models are called by it whatever the client speaks: bare
 * ids have nothing else, and their profiles refuse on the other paths what they take on this one.
 */
import type { Fact } from '../../../kernel/toolkit/vendors/index.js'
import type { Endpoint } from '../endpoint.js'

export interface ResponsesRoute extends Fact {
  readonly models: RegExp
  readonly endpoint: Endpoint & ('runtime' | 'mantle')
  readonly path: string
  /** Clients of other formats are served by Converse. */
  readonly onlyOwnClients?: true
  /** The id stands there without the version it has elsewhere. */
  readonly unversioned?: true
}

const read = '2026-11-27'

const routes: readonly ResponsesRoute[] = [
  {
    // `us.openai.gpt-5.6-sol`, `global.openai.gpt-6-astra`: the second host refuses ids with a prefix.
    models: /^[a-z-]+\.openai\.gpt-(?!oss)/,
    endpoint: 'runtime',
    path: '/openai/v1/responses',
    source:
      'docs.aws.amazon.com/bedrock/latest/userguide/inference-responses-api.md, github.com/aws-samples/sample-apj-sup-sa/pull/229, github.com/anomalyco/models.dev/pull/4827',
    read,
  },
  {
    models: /^openai\.gpt-(?!oss)/,
    endpoint: 'mantle',
    path: '/openai/v1/responses',
    source:
      'docs.aws.amazon.com/bedrock/latest/userguide/model-card-openai-gpt-55.html, github.com/awslabs/startups/pull/210',
    read,
  },
  {
    // An id without its version is known to the second host alone.
    models: /^openai\.gpt-oss(?!.*-\d+:\d+$)/,
    endpoint: 'mantle',
    path: '/v1/responses',
    source:
      'dev.classmethod.jp/en/articles/bedrock-mantle-responses-api-azure-compatibility-comparison, github.com/livekit/agents/pull/5978',
    read,
  },
  {
    models: /^openai\.gpt-oss/,
    endpoint: 'mantle',
    path: '/v1/responses',
    onlyOwnClients: true,
    unversioned: true,
    source:
      'docs.aws.amazon.com/bedrock/latest/userguide/inference-responses-api.md, github.com/livekit/agents/pull/5978',
    read,
  },
]

/** Undefined: the model has no such API here. ARNs are not taken by it. */
export function routeOf(model: string): ResponsesRoute | undefined {
  return routes.find(({ models }) => models.test(model))
}

/** Whether the model is served by this API alone. */
export function servesResponses(model: string): boolean {
  const route = routeOf(model)
  return route !== undefined && route.onlyOwnClients !== true
}
