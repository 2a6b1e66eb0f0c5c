/**
 * The client's session as the service's setup, which is its first message and cannot be changed later. What has no equal there is
 * refused by its name; what only tunes, such as a threshold, is missing in `session.updated`, which states what holds.
 */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { notExpressible } from '../../../kernel/toolkit/errors/index.js'
import { geminiVoice } from '../../../kernel/toolkit/vendors/index.js'
import { bareName } from '../address.js'
import { inputOf, outputOf, type Side } from './audio.js'
import { detectionOf } from './detection.js'
import { spokenRate } from './facts.js'
import { declarationsOf } from './tools.js'

export interface LiveSession {
  /** In the client's words. */
  readonly effective: JsonObject
  readonly setup: JsonObject
  /** The service decides when the user has finished. */
  readonly detects: boolean
  /** Hertz of the samples the client sends. */
  readonly rate: number
}

const read: ReadonlySet<string> = new Set([
  ...['type', 'object', 'id', 'model', 'expires_at', 'audio', 'instructions', 'tools'],
  ...['output_modalities', 'modalities', 'max_output_tokens', 'max_response_output_tokens'],
  ...['voice', 'temperature', 'turn_detection', 'input_audio_format', 'output_audio_format'],
  'input_audio_transcription',
])

/** What other members may say, since it is what happens anyway. */
const usual: Readonly<Record<string, Json>> = { tool_choice: 'auto', truncation: 'auto', speed: 1 }

export function sessionOf(requested: JsonObject, model: string): LiveSession {
  if (requested.type !== undefined && requested.type !== 'realtime')
    throw notExpressible('session.type')
  refuseUnread(requested)
  refuseText(requested)
  const input = inputOf(requested)
  const output = outputOf(requested)
  const detection = detectionOf(input.detection)
  return {
    effective: effectiveOf(requested, model, { input, output, detection: detection.effective }),
    setup: {
      model: `models/${bareName(model)}`,
      generationConfig: generationOf(requested, output),
      ...instructionOf(requested),
      ...declarationsOf(requested.tools),
      ...(detection.config !== undefined && { realtimeInputConfig: detection.config }),
      outputAudioTranscription: {},
      ...(input.transcribes && { inputAudioTranscription: {} }),
    },
    detects: detection.detects,
    rate: input.rate,
  }
}

function refuseUnread(requested: JsonObject): void {
  for (const [name, value] of Object.entries(requested)) {
    if (read.has(name) || isEmpty(value) || usual[name] === value) continue
    throw notExpressible(`session.${name}`)
  }
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}

/** Its models speak; each of them refuses to write instead (github.com/pydantic/pydantic-ai/pull/8393). */
function refuseText({ output_modalities, modalities }: JsonObject): void {
  const wanted = output_modalities ?? modalities
  if (!Array.isArray(wanted) || wanted.includes('audio')) return
  throw notExpressible(
    output_modalities === undefined ? 'session.modalities' : 'session.output_modalities',
  )
}

function generationOf(requested: JsonObject, { voice }: Side): JsonObject {
  const { temperature } = requested
  const limit = limitOf(requested)
  return {
    responseModalities: ['AUDIO'],
    ...(voice !== undefined && {
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: geminiVoice(voice) } } },
    }),
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof limit === 'number' && { maxOutputTokens: limit }),
  }
}

function limitOf(requested: JsonObject): Json | undefined {
  return requested.max_output_tokens ?? requested.max_response_output_tokens
}

function instructionOf({ instructions }: JsonObject): JsonObject {
  if (typeof instructions !== 'string' || instructions === '') return {}
  return { systemInstruction: { parts: [{ text: instructions }] } }
}

interface Sides {
  readonly input: Side
  readonly output: Side
  readonly detection: JsonObject | null
}

function effectiveOf(requested: JsonObject, model: string, sides: Sides): JsonObject {
  const { input, output, detection } = sides
  const { instructions, tools, temperature } = requested
  return {
    type: 'realtime',
    object: 'realtime.session',
    model,
    output_modalities: ['audio'],
    ...(typeof instructions === 'string' && { instructions }),
    tools: Array.isArray(tools) ? tools : [],
    tool_choice: 'auto',
    max_output_tokens: limitOf(requested) ?? 'inf',
    ...(typeof temperature === 'number' && { temperature }),
    audio: {
      input: {
        format: { type: 'audio/pcm', rate: input.rate },
        transcription: input.transcribes ? { model } : null,
        turn_detection: detection,
      },
      output: {
        format: { type: 'audio/pcm', rate: spokenRate },
        ...(output.voice !== undefined && { voice: output.voice }),
      },
    },
  }
}
