/**
 * Parts of a request as canonical parts. What a part has beyond its known fields stays with it; a part of unknown kind,
 * or of known kind with a shape of its own, stays whole.
 */
import type { Part, PartExtras } from '../../../kernel/contract/call.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { mintId } from '../../../kernel/toolkit/format/index.js'
import { objectOf, objectsOf, present, someText, textOf, unlessEmpty } from './fields.js'
import { isOwn, only } from './leftovers.js'
import { readFile, readInline } from './media.js'
import { camel } from './names.js'
import { readSeal } from './seal.js'
import { readResponse } from './tool-result.js'

/** Begins the ids of calls that came without one; they go back without it. */
export const mintedPrefix = 'waybill_'

/** Calls of a conversation, so that results without an id find theirs: by name, in order. */
export class Calls {
  private readonly open: { readonly id: string; readonly name: string }[] = []
  private minted = 0

  called(id: string | undefined, name: string, input: string): string {
    const known = id ?? this.mint(name, input)
    this.open.push({ id: known, name })
    return known
  }

  answered(id: string | undefined, name: string): string {
    const at = this.open.findIndex((call) =>
      id === undefined ? call.name === name : call.id === id,
    )
    const [found] = at === -1 ? [] : this.open.splice(at, 1)
    return id ?? found?.id ?? this.mint(name, '')
  }

  private mint(name: string, input: string): string {
    return mintId(mintedPrefix, this.minted++, name, input)
  }
}

export function decodeParts(parts: Json | undefined, calls: Calls): Part[] {
  return objectsOf(parts).map((part) => decodePart(camel(part), calls))
}

function decodePart(part: JsonObject, calls: Calls): Part {
  const { thoughtSignature, ...fields } = part
  const signature = someText(thoughtSignature)
  const known = decodeKind(fields, signature !== undefined, calls)
  if (known === undefined) return { kind: 'opaque', of: 'generative', value: part }
  const left = Object.entries(fields).filter(([key]) => !known.read.includes(key))
  return { ...known.part, ...extras(known.part, Object.fromEntries(left), signature) }
}

function extras(part: Part, left: JsonObject, signature: string | undefined): PartExtras {
  const seal = signature === undefined ? {} : { seal: readSeal(signature) }
  if (Object.keys(left).length === 0 && !needsMark(part)) return seal
  return { ...seal, ...only({ ...part.only?.generative, ...left }) }
}

/** What would be written otherwise for a client of another format. */
function needsMark(part: Part): boolean {
  const { kind } = part
  if (kind === 'text') return part.text === ''
  return kind === 'toolCall' || kind === 'toolResult' || kind === 'reasoning' || isOwn(part)
}

interface Known {
  readonly part: Part
  /** Fields the part expresses completely. */
  readonly read: readonly string[]
}

function decodeKind(fields: JsonObject, signed: boolean, calls: Calls): Known | undefined {
  const { text, inlineData, fileData, functionCall, functionResponse, executableCode } = fields
  const kinds = [text, inlineData, fileData, functionCall, functionResponse, executableCode]
  if (kinds.filter((kind) => kind !== undefined).length !== 1) return undefined
  if (typeof text === 'string') return textPart(text, fields.thought === true, signed)
  if (inlineData !== undefined) return reading(readInline, inlineData, 'inlineData')
  if (fileData !== undefined) return reading(readFile, fileData, 'fileData')
  if (executableCode !== undefined) return reading(readCode, executableCode, 'executableCode')
  if (functionCall !== undefined) {
    return reading((call) => readCall(call, calls), functionCall, 'functionCall')
  }
  return reading((result) => readResult(result, calls), functionResponse, 'functionResponse')
}

function reading(
  read: (fields: JsonObject) => Part | undefined,
  value: Json | undefined,
  key: string,
): Known | undefined {
  const fields = objectOf(value)
  const part = fields && read(camel(fields))
  return part && { part, read: [key] }
}

/** Nothing but a signature is state of the model's reasoning, wherever it stands. */
function textPart(text: string, thought: boolean, signed: boolean): Known {
  if (thought) return { part: { kind: 'reasoning', text }, read: ['text', 'thought'] }
  if (text === '' && signed) return { part: { kind: 'reasoning' }, read: ['text'] }
  return { part: { kind: 'text', text }, read: ['text'] }
}

function readCall({ id, name, args, ...rest }: JsonObject, calls: Calls): Part | undefined {
  const named = textOf(name)
  if (named === undefined || Object.keys(rest).length > 0) return undefined
  const input = JSON.stringify(args ?? {})
  return { kind: 'toolCall', id: calls.called(someText(id), named, input), name: named, input }
}

function readResult(result: JsonObject, calls: Calls): Part | undefined {
  const { id, name, response, parts, ...rest } = result
  const named = textOf(name)
  if (named === undefined) return undefined
  const { parts: given, wrapped, ...failed } = readResponse(response, named)
  const left = present({ functionResponse: unlessEmpty(rest), response: wrapped })
  return {
    kind: 'toolResult',
    callId: calls.answered(someText(id), named),
    name: named,
    parts: [...given, ...decodeParts(parts, calls)],
    ...failed,
    ...(Object.keys(left).length > 0 && only(left)),
  }
}

/** Code the service ran itself; its result follows as a part of its own. */
function readCode(code: JsonObject): Part | undefined {
  const { id, language, code: source, ...rest } = code
  if (typeof source !== 'string' || Object.keys(rest).length > 0) return undefined
  const named = someText(id) ?? mintId(mintedPrefix, source)
  return {
    kind: 'serverTool',
    id: named,
    name: 'code_execution',
    input: code,
    of: 'generative',
  }
}

/**
 * A foreign seal came behind the reasoning it seals, which may stand there in several pieces: clients keep the parts of
 * a stream as they came. Its issuer requires it back in one piece.
 */
export function joinThoughts(parts: readonly Part[]): Part[] {
  const out: Part[] = []
  for (const part of parts) {
    if (part.kind === 'reasoning' && part.text === undefined && part.seal?.by !== 'generative') {
      let text = ''
      for (let last = out.at(-1); isUnsealedThought(last); last = out.at(-1)) {
        out.pop()
        text = last.text + text
      }
      out.push(text === '' ? part : { ...part, text })
    } else out.push(part)
  }
  return out
}

type Thought = Extract<Part, { kind: 'reasoning' }> & { readonly text: string }

function isUnsealedThought(part: Part | undefined): part is Thought {
  return part?.kind === 'reasoning' && part.seal === undefined && part.text !== undefined
}
