/**
 * Requests of the simpler operations as documented (API reference and the types of the `openai` package 6.49; rerank: the
 * references of Jina and Cohere, read on 2026-11-23). Fields of forms are texts.
 */
import {
  all,
  type Check,
  fault,
  flag,
  integer,
  list,
  matching,
  number,
  object,
  place,
  record,
  some,
  text,
  textOr,
  words,
} from './engine.js'

const numbers = list(number(0, Number.MAX_SAFE_INTEGER), 1)

/** A text, texts, token numbers, or several rows of those. */
const input: Check = textOr(
  list((value, at, faults) => {
    if (Array.isArray(value)) numbers(value, at, faults)
    else if (typeof value !== 'number') some(value, at, faults)
  }, 1),
  some,
)

export const embeddings: Check = record(
  { model: some, input },
  {
    dimensions: integer(1),
    encoding_format: words('float', 'base64'),
    user: text,
  },
)

export const moderations: Check = record(
  { input: textOr(list(textOr(object), 1)) },
  { model: some },
)

export const speech: Check = record(
  { model: some, input: text, voice: textOr(object) },
  {
    instructions: text,
    response_format: words('mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'),
    speed: number(0.25, 4),
    stream_format: words('sse', 'audio'),
  },
)

export const images: Check = record(
  { prompt: some },
  {
    model: some,
    background: words('transparent', 'opaque', 'auto'),
    moderation: words('low', 'auto'),
    n: integer(1, 10),
    output_compression: integer(0, 100),
    output_format: words('png', 'jpeg', 'webp'),
    partial_images: integer(0, 3),
    quality: words('standard', 'hd', 'low', 'medium', 'high', 'auto'),
    response_format: words('url', 'b64_json'),
    size: text,
    stream: flag,
    style: words('vivid', 'natural'),
    user: text,
  },
  all(),
)

export const rerank: Check = record(
  { model: some, query: textOr(object, some), documents: list(textOr(object), 1) },
  {
    top_n: integer(0),
    return_documents: flag,
    // Cohere.
    max_tokens_per_doc: integer(1),
    priority: integer(0, 999),
    // Jina.
    truncation: flag,
  },
)

const file: Check = record({ filename: some, bytes: integer(1) })
const yesOrNo = words('true', 'false')
const fraction = matching(/^(0(\.\d+)?|1(\.0+)?)$/)

const heard = {
  prompt: text,
  temperature: fraction,
}

export const transcriptions: Check = record(
  { file, model: some },
  {
    ...heard,
    language: matching(/^[a-z]{2,3}(-[A-Za-z]+)?$/),
    response_format: words('json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'),
    stream: yesOrNo,
    chunking_strategy: text,
    'include[]': list(words('logprobs')),
    'timestamp_granularities[]': list(words('word', 'segment'), 0, 2),
    'known_speaker_names[]': list(text, 0, 4),
    'known_speaker_references[]': list(text, 0, 4),
  },
  (value, at, faults) => {
    const wanted = value['timestamp_granularities[]']
    if (wanted !== undefined && value.response_format !== 'verbose_json') {
      fault(faults, place(at, 'timestamp_granularities[]'), 'needs response_format verbose_json')
    }
  },
)

export const translations: Check = record(
  { file, model: some },
  { ...heard, response_format: words('json', 'text', 'srt', 'verbose_json', 'vtt') },
)

export const imageEdits: Check = record(
  { prompt: some },
  {
    image: file,
    'image[]': list(file, 1, 16),
    mask: file,
    model: some,
    background: words('transparent', 'opaque', 'auto'),
    input_fidelity: words('high', 'low'),
    n: matching(/^([1-9]|10)$/),
    output_compression: matching(/^(\d{1,2}|100)$/),
    output_format: words('png', 'jpeg', 'webp'),
    partial_images: matching(/^[0-3]$/),
    quality: words('standard', 'low', 'medium', 'high', 'auto'),
    response_format: words('url', 'b64_json'),
    size: text,
    stream: yesOrNo,
    user: text,
  },
  (value, at, faults) => {
    if (value.image === undefined && value['image[]'] === undefined) {
      fault(faults, place(at, 'image'), 'is required')
    }
  },
)
