/** Tools and how they may be used. Tools the service runs itself have no schema: only this format can name them. */
import type { Tool, ToolChoice } from '../../../kernel/contract/call.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { objectOf, objectsOf, present, textOf, textsOf, unlessEmpty } from './fields.js'
import { below, only } from './leftovers.js'
import { camel } from './names.js'
import { readSchema } from './schema.js'

export function decodeTools(tools: Json | undefined): Tool[] {
  return objectsOf(tools).flatMap((tool) =>
    Object.entries(camel(tool)).flatMap(([key, value]) =>
      key === 'functionDeclarations'
        ? objectsOf(value).map((declared) => decodeFunction(camel(declared)))
        : [{ kind: 'server' as const, name: key, ...only({ [key]: value }) }],
    ),
  )
}

function decodeFunction(declared: JsonObject): Tool {
  const { name, description, parameters, parametersJsonSchema, ...rest } = declared
  const left = unlessEmpty(rest)
  return present<Tool>({
    kind: 'function',
    name: textOf(name) ?? '',
    description: textOf(description),
    schema: readSchema(parametersJsonSchema, parameters),
    ...(left && only(left)),
  })
}

export interface ToolUse {
  readonly toolChoice?: ToolChoice
  /** What the canonical choice cannot express, under its path. */
  readonly left: JsonObject
}

const modes: Readonly<Record<string, 'auto' | 'required' | 'none'>> = {
  AUTO: 'auto',
  ANY: 'required',
  NONE: 'none',
  VALIDATED: 'auto',
}

export function decodeToolConfig(config: Json | undefined): ToolUse {
  const { functionCallingConfig, ...others } = camel(objectOf(config) ?? {})
  const calling = camel(objectOf(functionCallingConfig) ?? {})
  const { mode, allowedFunctionNames, ...rest } = calling
  const names = textsOf(allowedFunctionNames) ?? []
  const word = (textOf(mode) ?? '').toUpperCase()
  const kind = Object.hasOwn(modes, word) ? modes[word] : undefined
  const named = kind === 'required' && names.length === 1
  const choice = named ? { kind: 'named' as const, name: names[0]! } : kind && { kind }
  return present<ToolUse>({
    toolChoice: choice,
    left: {
      ...below('toolConfig', others),
      ...below('toolConfig.functionCallingConfig', {
        ...rest,
        mode: word === 'VALIDATED' || kind === undefined ? mode : undefined,
        allowedFunctionNames: named ? undefined : allowedFunctionNames,
      }),
    },
  })
}
