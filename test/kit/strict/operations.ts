/** Requests of the simpler operations as documented (API reference and the types of the `openai` package 6.49). */
import {
  all,
  type Check,
  flag,
  integer,
  list,
  number,
  object,
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
