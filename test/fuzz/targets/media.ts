/** Media: how long a recording plays, what a picture is, and bytes written into an address. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { audioSeconds } from '../../../kernel/toolkit/operation/audio-length.js'
import { imageKind } from '../../../kernel/toolkit/operation/index.js'
import { dataUrl as chatDataUrl, writeDataUrl } from '../../../plugins/formats/chat/data-url.js'
import { dataUrl as responsesDataUrl } from '../../../plugins/formats/responses/data-url.js'
import { type Bytes, bufferOf, bytesIn, mutatedBytes } from '../mutations.js'
import type { Target } from '../target.js'

const hex = (text: string) => bytesIn(Buffer.from(text.replaceAll(' ', ''), 'hex'))
const corpus = [
  hex(
    '52494646 24000000 57415645 666d7420 10000000 01000100 44ac0000 88580100 02001000 64617461 00000000',
  ),
  hex(
    '664c6143 00000022 1000 1000 000000 000000 0ac442f0 00000000 00000000000000000000000000000000',
  ),
  hex(
    '4f676753 00 02 0000000000000000 01000000 00000000 00000000 01 13 4f70757348656164 01 01 3801 80bb0000 0000 00',
  ),
  hex(
    '00000018 66747970 69736f6d 00000200 69736f6d 6d703431 00000074 6d6f6f76 0000006c 6d766864 00000000 00000000 00000000 000003e8 00001388',
  ),
  hex('1a45dfa3 84 42868101 18538067 8f 1549a966 8a 2ad7b183 0f4240 4489 84 42c80000'),
  hex('49443304000000000000 fffb9064 00000000 00000000 58696e67 0000000f 00000064'),
  hex(
    '89504e470d0a1a0a 0000000d 49484452 00000001 00000001 08 06 00 00 00 1f15c489 0000000a 49444154 789c63000100000500010d0a2db4 00000000 49454e44 ae426082',
  ),
  hex(
    'ffd8 ffe0 0010 4a46494600010101004800480000 ffc0 000b 08 0001 0001 01 01 11 00 ffda 0008 01 01 00 00 3f 00 d2 ffd9',
  ),
  hex(
    '52494646 1a000000 57454250 56503820 0e000000 30010 09d012a 0100 0100 0034 25'.replaceAll(
      '30010 09d',
      '3001009d',
    ),
  ),
  'data:image/png;base64,iVBORw0KGgo=',
  'data:;base64,',
  'data:text/plain;charset=utf-8;base64,QQ==',
]
const tokens = [
  ';base64',
  ',',
  'data:',
  'moov',
  'mvhd',
  'Xing',
  'OggS',
  'IHDR',
  '\u00ff\u00fb',
  '\u00ff\u00c0',
  '\u00ff\u00ff\u00ff\u00ff',
]

export const media: Target<Bytes> = {
  name: 'media',
  inputs: fc.oneof(
    mutatedBytes(corpus, tokens),
    fc
      .tuple(mutatedBytes(corpus, tokens), fc.nat(3_000))
      .map(([bytes, times]) => bytes.repeat(times).slice(0, 65_536)),
  ),
  check(bytes) {
    const buffer = bufferOf(bytes)
    const seconds = audioSeconds(buffer)
    assert.ok(Number.isFinite(seconds) && seconds >= 0, `seconds ${seconds}`)
    assert.ok(buffer.length === 0 || seconds > 0, 'some sound plays for some time')
    const kind = imageKind(buffer)
    if (kind !== undefined) assert.ok(Number.isInteger(kind.width) && Number.isInteger(kind.height))
    const read = chatDataUrl(bytes)
    assert.deepEqual(responsesDataUrl(bytes), read, 'both formats read it alike')
    if (read !== undefined) assert.deepEqual(chatDataUrl(writeDataUrl(read)), read, 'it reads back')
  },
}
