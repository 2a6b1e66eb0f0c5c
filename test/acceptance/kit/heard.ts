/**
 * What an upstream was queried, read from the request as it arrived by someone who knows nothing of the gateway: each
 * reader goes by the vendor's reference of its format alone.
 */
import type { Recorded } from '../../kit/upstream.js'
import type { Wire } from './upstreams.js'

export interface Heard {
  readonly instructions: string
  /** What the user stated, in order. */
  readonly texts: readonly string[]
  readonly images: readonly { readonly mime: string; readonly base64: string }[]
  readonly tools: readonly { readonly name: string; readonly schema: unknown }[]
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[]
  readonly results: readonly { readonly id: string; readonly text: string }[]
  readonly schema: unknown
  readonly thinks: boolean
  /** Of reasoning and of tool calls, in order. */
  readonly seals: readonly string[]
  readonly streams: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: four vendors' bodies; a field that is missing fails the test that names it.
type Body = any

export function heard(wire: Wire, { json, path }: Recorded): Heard {
  const body: Body = json
  if (wire === 'generative') return { ...hearGenerative(body), streams: /:stream/.test(path) }
  const read = { chat: hearChat, messages: hearMessages, responses: hearResponses }[wire]
  return { ...read(body), streams: body.stream === true }
}

type Words = Omit<Heard, 'streams'>

const listed = (value: Body): Body[] =>
  typeof value === 'string' ? [{ type: 'text', text: value }] : (value ?? [])
const textsIn = (value: Body): string[] =>
  listed(value).flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
const results = <T>(value: T | undefined | null): T[] =>
  value === undefined || value === null ? [] : [value]

function image(url: string) {
  const [, mime = '', base64 = ''] = /^data:([^;]+);base64,(.*)$/.exec(url) ?? []
  return { mime, base64 }
}

function hearChat(body: Body): Words {
  const by = (...roles: string[]): Body[] =>
    body.messages.filter(({ role }: Body) => roles.includes(role))
  const users = by('user').flatMap(({ content }) => listed(content))
  const calls = by('assistant').flatMap(({ tool_calls }) => tool_calls ?? [])
  return {
    instructions: by('system', 'developer')
      .flatMap(({ content }) => textsIn(content))
      .join('\n'),
    texts: textsIn(users),
    images: users.filter(({ type }) => type === 'image_url').map((one) => image(one.image_url.url)),
    tools: (body.tools ?? []).map((one: Body) => {
      return { name: one.function.name, schema: one.function.parameters }
    }),
    calls: calls.map(({ id, function: { name, arguments: input } }) => {
      return { id, name, input: JSON.parse(input) }
    }),
    results: by('tool').map(({ tool_call_id: id, content }) => {
      return { id, text: textsIn(content).join('') }
    }),
    schema: body.response_format?.json_schema?.schema,
    thinks: body.reasoning_effort !== undefined,
    seals: [],
  }
}

function hearMessages(body: Body): Words {
  const blocks = (role: string): Body[] =>
    body.messages
      .filter((message: Body) => message.role === role)
      .flatMap(({ content }: Body) => listed(content))
  const of = (role: string, kind: string) => blocks(role).filter(({ type }) => type === kind)
  return {
    instructions: textsIn(body.system).join('\n'),
    texts: textsIn(of('user', 'text')),
    images: of('user', 'image').map(({ source }) => {
      return { mime: source.media_type, base64: source.data }
    }),
    tools: (body.tools ?? []).map(({ name, input_schema }: Body) => ({
      name,
      schema: input_schema,
    })),
    calls: of('assistant', 'tool_use').map(({ id, name, input }) => ({ id, name, input })),
    results: of('user', 'tool_result').map(({ tool_use_id: id, content }) => {
      return { id, text: textsIn(content).join('') }
    }),
    schema: body.output_config?.format?.schema,
    thinks: ['enabled', 'adaptive'].includes(body.thinking?.type),
    seals: blocks('assistant').flatMap(({ signature, data }) => [
      ...results<string>(signature),
      ...results<string>(data),
    ]),
  }
}

function hearGenerative(body: Body): Words {
  const parts = (role: string): Body[] =>
    body.contents
      .filter((content: Body) => (content.role ?? 'user') === role)
      .flatMap((content: Body) => content.parts)
  const config = body.generationConfig ?? {}
  const declared = (body.tools ?? []).flatMap((tool: Body) => tool.functionDeclarations ?? [])
  return {
    instructions: textsIn(body.systemInstruction?.parts).join('\n'),
    texts: textsIn(parts('user')),
    images: parts('user')
      .flatMap(({ inlineData }) => results<Body>(inlineData))
      .map(({ mimeType, data }) => ({ mime: mimeType, base64: data })),
    tools: declared.map(({ name, parametersJsonSchema, parameters }: Body) => {
      return { name, schema: parametersJsonSchema ?? lowered(parameters) }
    }),
    calls: parts('model')
      .flatMap(({ functionCall }) => results<Body>(functionCall))
      .map(({ id, name, args }) => ({ id, name, input: args ?? {} })),
    results: parts('user')
      .flatMap(({ functionResponse }) => results<Body>(functionResponse))
      .map(({ id, response }) => ({ id, text: JSON.stringify(response) })),
    schema: config.responseJsonSchema ?? lowered(config.responseSchema),
    thinks: config.thinkingConfig?.includeThoughts === true,
    seals: parts('model').flatMap(({ thoughtSignature }) => results<string>(thoughtSignature)),
  }
}

/** The format's older spelling of a schema has its types in capitals. */
function lowered(schema: Body): unknown {
  if (schema === undefined) return undefined
  const lower = (key: string, value: Body) => (key === 'type' ? value.toLowerCase() : value)
  return JSON.parse(JSON.stringify(schema), lower)
}

function hearResponses(body: Body): Words {
  const items: Body[] =
    typeof body.input === 'string'
      ? [{ type: 'message', role: 'user', content: body.input }]
      : body.input
  const of = (kind: string) => items.filter(({ type = 'message' }) => type === kind)
  const by = (...roles: string[]) =>
    of('message')
      .filter(({ role }) => roles.includes(role))
      .flatMap(({ content }) => listed(content))
  const { effort, summary } = body.reasoning ?? {}
  return {
    instructions: [...results(body.instructions), ...textsIn(by('system', 'developer'))].join('\n'),
    texts: textsIn(by('user')),
    images: by('user')
      .filter(({ type }) => type === 'input_image')
      .map(({ image_url }) => image(image_url)),
    tools: (body.tools ?? []).map(({ name, parameters }: Body) => ({ name, schema: parameters })),
    calls: of('function_call').map(({ call_id: id, name, arguments: input }) => {
      return { id, name, input: JSON.parse(input) }
    }),
    results: of('function_call_output').map(({ call_id: id, output }) => {
      return { id, text: textsIn(output).join('') }
    }),
    schema: body.text?.format?.schema,
    thinks: effort !== undefined || summary !== undefined,
    seals: of('reasoning').flatMap(({ encrypted_content }) => results<string>(encrypted_content)),
  }
}
