/** Forms: a refusal or a form, and a form that is written reads back as it was. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type FormBody, formBytes, readForm } from '../../../kernel/toolkit/body/form.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { withTrueTypes } from '../../../kernel/toolkit/operation/index.js'
import { type Bytes, bufferOf, bytesIn, mutatedBytes } from '../mutations.js'
import type { Target } from '../target.js'

interface Input {
  readonly bytes: Bytes
  readonly type: string
}

const multipart = [
  '--x\r\nContent-Disposition: form-data; name="model"\r\n\r\nwhisper-1\r\n',
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.mp3"\r\nContent-Type: audio/mpeg\r\n\r\nID3\r\n',
  "--x\r\nContent-Disposition: form-data; name=n; filename*=UTF-8''%e6%b1%89\r\n\r\n\r\n",
]
const corpus = [
  `${multipart.join('')}--x--\r\n`,
  `\r\n${multipart[1]}--x--`,
  'a=1&b=%20+&a=2&c[]=3',
]
const types = [
  'multipart/form-data; boundary=x',
  'multipart/form-data; charset=utf-8; boundary="x"',
  'application/x-www-form-urlencoded; charset=utf-8',
].map(bytesIn)
const tokens = [
  '--x',
  '--x--',
  '\r\n--x\r\n',
  '\r\n\r\n',
  '; name="a"',
  '\\"',
  '%22',
  '%',
  '=',
  '&',
  ';',
]

export const form: Target<Input> = {
  name: 'form',
  inputs: fc.record({
    bytes: mutatedBytes(corpus.map(bytesIn), tokens),
    type: fc.oneof(fc.constantFrom(...types), mutatedBytes(types, tokens)),
  }),
  check({ bytes, type }) {
    const read = formIn(bufferOf(bytes), type)
    if (read === undefined) return
    const again = formBytes(read)
    assert.deepEqual(readForm(again.bytes, again.type).fields, read.fields, 'fields read back')
    const { files } = readForm(again.bytes, again.type)
    assert.deepEqual(files.map(facts), read.files.map(facts), 'files read back')
    withTrueTypes(read)
  },
}

function formIn(bytes: Buffer, type: string): FormBody | undefined {
  try {
    return readForm(bytes, type)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

function facts({ field, mime, bytes }: FormBody['files'][number]) {
  return [field, mime, bytes.toString('latin1')]
}
