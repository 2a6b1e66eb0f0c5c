/** What the Converse API and InvokeModel refuse, as rules of a strict upstream; a request shows its model in its path. */
import type { Recorded } from '../kit/upstream.js'
import { isRecord, listIn, objectsWithin, type VendorRule } from '../kit/vendor.js'

const read = '2026-11-27'
const api = 'docs.aws.amazon.com/bedrock/latest/APIReference'

const holding = (request: Recorded, member: string) =>
  objectsWithin(request.json).flatMap((one) => (isRecord(one[member]) ? [one[member]] : []))
const toolConfigOf = ({ json }: Recorded) =>
  isRecord(json) && isRecord(json.toolConfig) ? json.toolConfig : undefined
const blocksOf = ({ json }: Recorded) =>
  listIn(json, 'messages').map((one) => listIn(one, 'content'))

export const converseRules: readonly VendorRule[] = [
  {
    rule: 'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
    source: 'github.com/langgenius/dify/issues/16421',
    read,
    broken: (request) =>
      toolConfigOf(request) === undefined &&
      [...holding(request, 'toolUse'), ...holding(request, 'toolResult')].length > 0,
  },
  {
    rule: "This model doesn't support the toolConfig.toolChoice field.",
    source: `${api}/API_runtime_ToolChoice.html, github.com/strands-agents/harness-sdk/issues/1241`,
    read,
    broken: (request) => {
      const { any, tool } = (toolConfigOf(request)?.toolChoice ?? {}) as Record<string, unknown>
      const takesAny = /nova|mistral-large|deepseek/.test(request.path)
      return (any !== undefined && !takesAny) || (tool !== undefined && !/nova/.test(request.path))
    },
  },
  {
    rule: 'Tool call id must be a-z, A-Z, 0-9, with a length of 9.',
    source: 'github.com/anomalyco/opencode/pull/48843',
    read,
    broken: (request) =>
      request.path.includes('mistral.') &&
      [...holding(request, 'toolUse'), ...holding(request, 'toolResult')].some(
        ({ toolUseId }) => !/^[a-zA-Z0-9]{9}$/.test(String(toolUseId)),
      ),
  },
  {
    rule: 'Value at toolUseId failed to satisfy constraint.',
    source: 'github.com/vercel/ai/pull/13326',
    read,
    broken: (request) =>
      holding(request, 'toolUse').some(
        ({ toolUseId }) => !/^[a-zA-Z0-9_-]{1,64}$/.test(String(toolUseId)),
      ),
  },
  {
    rule: "Messages can't contain duplicate document names.",
    source: `${api}/API_runtime_DocumentBlock.html`,
    read,
    broken: (request) => {
      const names = holding(request, 'document').map(({ name }) => String(name))
      const isOdd = (name: string) => !/^[a-zA-Z0-9()[\]-]+(?: [a-zA-Z0-9()[\]-]+)*$/.test(name)
      return new Set(names).size < names.length || names.some(isOdd)
    },
  },
  {
    rule: 'A text block must be included when using documents.',
    source: `${api}/API_runtime_Message.html`,
    read,
    broken: (request) =>
      blocksOf(request).some(
        (blocks) =>
          blocks.some(({ document }) => document) && !blocks.some(({ text }) => text !== undefined),
      ),
  },
  {
    rule: 'The text field in the ContentBlock object is blank.',
    source: `${api}/API_runtime_ContentBlock.html`,
    read,
    broken: (request) =>
      objectsWithin(request.json).some(({ text }) => typeof text === 'string' && !text.trim()),
  },
  {
    rule: 'Expected toolResult blocks at the beginning of the message.',
    source: 'github.com/anthropics/anthropic-sdk-typescript/issues/653',
    read,
    broken: (request) =>
      blocksOf(request).some((blocks) => {
        const results = blocks.map(({ toolResult }) => toolResult !== undefined)
        return results.lastIndexOf(true) >= results.filter(Boolean).length
      }),
  },
  {
    rule: 'The value at toolSpec.inputSchema.json.type must be one of the following: object.',
    source: `${api}/API_runtime_ToolInputSchema.html`,
    read,
    broken: (request) =>
      holding(request, 'inputSchema').some(({ json }) => !isRecord(json) || json.type !== 'object'),
  },
  {
    rule: 'Member at toolSpec.description must have length greater than or equal to 1.',
    source: `${api}/API_runtime_ToolSpecification.html`,
    read,
    broken: (request) => holding(request, 'toolSpec').some(({ description }) => description === ''),
  },
  {
    rule: 'Only three fields are supported in the top-level object: type, properties, and required.',
    source: 'docs.aws.amazon.com/nova/latest/userguide/tool-use-definition.html',
    read,
    broken: (request) =>
      request.path.includes('nova') &&
      holding(request, 'inputSchema').some(({ json }) =>
        Object.keys(isRecord(json) ? json : {}).some(
          (member) => !['type', 'properties', 'required'].includes(member),
        ),
      ),
  },
  {
    rule: "This model doesn't support tool use in streaming mode.",
    source: 'github.com/earendil-works/pi/issues/3739',
    read,
    broken: (request) =>
      /meta\.llama.*\/converse-stream$/.test(request.path) && toolConfigOf(request) !== undefined,
  },
  {
    rule: 'Extended TTL prompt caching is only supported for Anthropic models.',
    source: 'github.com/LibreChat-AI/agents/pull/256',
    read,
    broken: (request) => holding(request, 'cachePoint').some(({ ttl }) => ttl !== undefined),
  },
]

const member = (request: Recorded, name: string) =>
  isRecord(request.json) ? request.json[name] : undefined
const guide = 'docs.aws.amazon.com/bedrock/latest/userguide'

export const invokeRules: readonly VendorRule[] = [
  {
    rule: 'Malformed input request: #: required key [inputText] not found',
    source: `${guide}/model-parameters-titan-embed-text.html`,
    read,
    broken: (request) =>
      request.path.includes('titan-embed-text') &&
      (typeof member(request, 'inputText') !== 'string' ||
        !Object.keys(request.json as object).every((name) =>
          ['inputText', 'dimensions', 'normalize', 'embeddingTypes'].includes(name),
        )),
  },
  {
    rule: 'texts: at most 96, with an input_type',
    source: `${guide}/model-parameters-embed-v4.html`,
    read,
    broken: (request) =>
      request.path.includes('cohere.embed') &&
      (!Array.isArray(member(request, 'texts')) || member(request, 'input_type') === undefined),
  },
  {
    rule: 'extraneous key is not permitted',
    source: 'docs.aws.amazon.com/nova/latest/userguide/image-gen-req-resp-structure.html',
    read,
    broken: (request) =>
      request.path.includes('nova-canvas') &&
      !Object.keys(request.json as object).every((name) =>
        /^(?:taskType|\w+Params|imageGenerationConfig)$/.test(name),
      ),
  },
]
