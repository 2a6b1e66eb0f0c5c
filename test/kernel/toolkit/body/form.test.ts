/** Forms arrive as they were sent, whatever stands in their names, and leave again the same. */
import fc from 'fast-check'
import t from 'tap'
import type { FormFile } from '../../../../kernel/contract/body.js'
import {
  type FormBody,
  formBytes,
  isFormType,
  readForm,
} from '../../../../kernel/toolkit/body/form.js'
import { Refusal } from '../../../../kernel/toolkit/errors/refusal.js'
import { cpuMs, turnMsMax } from '../../../kit/turn.js'

const type = 'multipart/form-data; boundary=xxxx'

/** A body of parts: the lines of their heads, and what they hold. */
function multipart(...parts: readonly (readonly [head: string, body: string | Buffer])[]): Buffer {
  const pieces = parts.flatMap(([head, body]) => [`--xxxx\r\n${head}\r\n\r\n`, body, '\r\n'])
  return Buffer.concat([...pieces, '--xxxx--\r\n'].map((piece) => Buffer.from(piece as string)))
}

const named = (name: string) => `Content-Disposition: form-data; name="${name}"`

function refusal(run: () => unknown): Pick<Refusal, 'code' | 'status' | 'message'> | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

t.test('fields and files are read as they came, repeated ones in order', async (t) => {
  const image = Buffer.from([0, 13, 10, 45, 45, 255])
  const form = readForm(
    multipart(
      [named('model'), 'whisper-1'],
      [named('timestamp_granularities[]'), 'word'],
      [`${named('image[]')}; filename="a.png"\r\nContent-Type: image/png`, image],
      [named('timestamp_granularities[]'), 'segment'],
      [named('timestamp_granularities[]'), 'character'],
      [`${named('image[]')}; filename="b.png"\r\nContent-Type: image/png`, ''],
      [named('prompt'), 'two\r\nlines'],
    ),
    type,
  )
  t.same(Object.entries(form.fields), [
    ['model', 'whisper-1'],
    ['timestamp_granularities[]', ['word', 'segment', 'character']],
    ['prompt', 'two\r\nlines'],
  ])
  t.same(form.files, [
    { field: 'image[]', filename: 'a.png', mime: 'image/png', bytes: image },
    { field: 'image[]', filename: 'b.png', mime: 'image/png', bytes: Buffer.alloc(0) },
  ])
})

t.test('what the platform writes is read, and what is written the platform reads', async (t) => {
  const form = new FormData()
  form.append('prompt', 'Straße 猫 "quoted"')
  form.append('image[]', new Blob([Buffer.from('one')], { type: 'image/png' }), 'a "b" 猫.png')
  form.append('image[]', new Blob([Buffer.from('two')], { type: 'image/webp' }), 'c;d=e.webp')
  const request = new Response(form)
  const read = readForm(
    Buffer.from(await request.arrayBuffer()),
    request.headers.get('content-type')!,
  )
  t.same(read.fields, { prompt: 'Straße 猫 "quoted"' })
  t.same(
    read.files.map(({ field, filename, mime, bytes }) => [field, filename, mime, String(bytes)]),
    [
      ['image[]', 'a "b" 猫.png', 'image/png', 'one'],
      ['image[]', 'c;d=e.webp', 'image/webp', 'two'],
    ],
  )
  const { bytes, type } = formBytes(read)
  const again = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  t.same([...again.keys()], ['prompt', 'image[]', 'image[]'])
  const file = again.getAll('image[]')[0] as File
  t.equal(file.name, 'a "b" 猫.png')
  t.equal(await file.text(), 'one')
})

t.test('a backslash in a name ends nothing and is not lost', async (t) => {
  for (const filename of ['\\', '\\\\', 'C:\\cat.png', 'x\\']) {
    const files = [asFile({ field: '\\', filename, bytes: Uint8Array.of(1) })]
    const { bytes, type } = formBytes({ kind: 'form', fields: { 'a\\': 'b' }, files })
    t.same(readForm(bytes, type), { kind: 'form', fields: { 'a\\': 'b' }, files })
  }
})

t.test('what is written is read back the same', async (t) => {
  const name = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => {
    return text !== '__proto__' && !/\p{Cc}|%(?:22|0d|0a)/iu.test(text)
  })
  const value = fc.string({ unit: 'grapheme' })
  const files = fc.array(
    fc.record({ field: name, filename: name, bytes: fc.uint8Array({ maxLength: 200 }) }),
  )
  fc.assert(
    fc.property(fc.dictionary(name, value), files, (fields, files) => {
      const form: FormBody = { kind: 'form', fields, files: files.map(asFile) }
      if (Object.keys(fields).length + files.length === 0) return
      const { bytes, type } = formBytes(form)
      const read = readForm(bytes, type)
      t.matchOnly(read.fields, { ...fields })
      t.same(read.files, form.files)
    }),
    { numRuns: 200 },
  )
})

function asFile(file: { field: string; filename: string; bytes: Uint8Array }): FormFile {
  return { ...file, bytes: Buffer.from(file.bytes), mime: 'image/png' }
}

t.test('names can write no lines and no headers of their own', async (t) => {
  const hostile = 'a"\r\nX-Evil: 1\r\n\r\nbody\0'
  const { bytes, type } = formBytes({
    kind: 'form',
    fields: { [hostile]: 'x' },
    files: [
      {
        field: hostile,
        filename: hostile,
        mime: `image/png\r\nX-Evil: 1`,
        bytes: Buffer.from('x'),
      },
    ],
  })
  const text = bytes.toString('latin1')
  t.notMatch(text, /^X-Evil/m)
  t.equal(text.match(/\r\n\r\n/g)?.length, 2, 'two heads, two ends')
  t.match(text, 'a%22%0D%0AX-Evil: 1%0D%0A%0D%0Abody%00')
  t.match(text, 'Content-Type: application/octet-stream')
  t.equal(new Response(bytes, { headers: { 'content-type': type } }).ok, true)
})

t.test('a boundary never stands in the content it bounds', async (t) => {
  const form: FormBody = { kind: 'form', fields: { a: 'x' }, files: [] }
  const boundaries = new Set(Array.from({ length: 50 }, () => formBytes(form).type))
  t.equal(boundaries.size, 50)
  const inner = formBytes(form).bytes
  const outer = formBytes({
    ...form,
    files: [{ field: 'f', filename: 'f', mime: '', bytes: inner }],
  })
  t.same(readForm(outer.bytes, outer.type).files[0]?.bytes, inner)
})

t.test('what an override put into a form is written as text, and null not at all', async (t) => {
  const { bytes, type } = formBytes({
    kind: 'form',
    fields: { n: 2, flag: true, gone: null, list: ['a', 'b'], object: { a: 1 } },
    files: [],
  })
  t.same(readForm(bytes, type).fields, {
    n: '2',
    flag: 'true',
    list: ['a', 'b'],
    object: '{"a":1}',
  })
})

t.test('clients that write heads in their own way are read', async (t) => {
  const cases: readonly [head: string, filename: string][] = [
    [`${named('file')}; filename="say \\"hi\\".mp3"`, 'say "hi".mp3'],
    [`${named('file')}; filename="say %22hi%22.mp3"`, 'say "hi".mp3'],
    [`${named('file')}; filename="C:\\music\\a.mp3"`, 'C:\\music\\a.mp3'],
    [`${named('file')}; filename="x"; filename*=UTF-8''%E7%8C%AB.mp3`, '猫.mp3'],
    ['content-disposition:form-data;name=file;filename=a.mp3', 'a.mp3'],
    [`${named('file')}\r\nContent-Type: audio/mpeg`, 'file'],
  ]
  for (const [head, filename] of cases) {
    const { files } = readForm(multipart([head, 'x']), type)
    t.match(files, [{ field: 'file', filename, bytes: Buffer.from('x') }], head)
  }
  const result = readForm(
    multipart([`${named('meta')}\r\nContent-Type: application/json`, '{}']),
    type,
  )
  t.same(result.fields, { meta: '{}' }, 'text with a type is a field')
  t.same(result.files, [])
})

t.test(
  'preamble, epilogue, padding and a longer boundary inside a part are no trouble',
  async (t) => {
    const body = Buffer.from(
      'hello\r\n--xxxx  \r\nContent-Disposition: form-data; name="a"\r\n\r\n' +
        'one\r\n--xxxxy\r\ntwo\r\n--xxxx--\r\ngoodbye\r\n--xxxx\r\n',
    )
    t.same(readForm(body, type).fields, { a: 'one\r\n--xxxxy\r\ntwo' })
    t.same(
      readForm(multipart([named('a'), '1']), 'Multipart/Form-Data; charset=x; Boundary="xxxx"'),
      {
        kind: 'form',
        fields: { a: '1' },
        files: [],
      },
    )
  },
)

t.test('what is no form is refused as the client would want to know it', async (t) => {
  const one = multipart([named('a'), '1'])
  const cases: Readonly<Record<string, readonly [Buffer, string]>> = {
    'names no usable boundary': [one, 'multipart/form-data'],
    'is not there': [one, 'multipart/form-data; boundary=other'],
    'the form is empty': [Buffer.from('--xxxx--\r\n'), type],
    'ends before its last boundary': [one.subarray(0, -8), type],
    'no proper head': [Buffer.from('--xxxx\r\nnonsense\r\n\r\n1\r\n--xxxx--\r\n'), type],
    'not declared as form-data': [multipart(['Content-Type: text/plain', '1']), type],
    'has no name': [multipart(['Content-Disposition: form-data', '1']), type],
    'control character': [multipart([named('a%0D%0Ab'), '1']), type],
    'is coded': [multipart([`${named('a')}\r\nContent-Transfer-Encoding: base64`, 'MQ==']), type],
    'not UTF-8': [multipart([named('a'), Buffer.from([0xff])]), type],
    'more than 1000 parts': [multipart(...Array.from({ length: 1001 }, part)), type],
  }
  for (const [reason, [body, type]] of Object.entries(cases)) {
    const result = refusal(() => readForm(body, type))
    t.match(result, { code: 'read_request_body_failed', status: 400 }, reason)
    t.match(result?.message, reason)
  }
})

function part(_: unknown, index: number): [string, string] {
  return [named(`a${index}`), '']
}

t.test('[LIMIT-6] a form that is dear to take apart is refused before it is', async (t) => {
  const megabytes = (text: string, count: number) =>
    Buffer.alloc(count * 1024 * 1024, text).toString()
  const file = (content: string, boundary: string) =>
    parted(`${named('a')}; filename="a"`, content, boundary)
  const parted = (head: string, content: string, boundary: string) =>
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n${content}\r\n--${boundary}--\r\n`)
  const declared = (boundary: string) => `multipart/form-data; boundary=${boundary}`
  const two = multipart([named('a'), megabytes('x', 2)], [named('a'), megabytes('x', 3)])
  const cases: Readonly<Record<string, readonly [Buffer, string]>> = {
    'its boundary stands in what it parts': [file(megabytes('\r\n--qz', 3), 'q'), declared('q')],
    'its boundary is too short': [file(megabytes('\r', 60), 'q'), declared('q')],
    'more than 4194304 bytes of text': [
      parted(named('a'), megabytes('é', 60), 'long'),
      declared('long'),
    ],
    'hold more than 4194304': [
      Buffer.from(two.toString().replaceAll('--xxxx', '--long')),
      declared('long'),
    ],
    'more than 262144 bytes of text': [
      Buffer.from(`a=${megabytes('+', 4)}`),
      'application/x-www-form-urlencoded',
    ],
  }
  const msMax = turnMsMax()
  for (const [reason, [body, type]] of Object.entries(cases)) {
    const before = cpuMs()
    const result = refusal(() => readForm(body, type))
    const ms = cpuMs() - before
    t.match(result, { code: 'read_request_body_failed', status: 400 }, reason)
    t.match(result?.message, reason)
    t.ok(ms < msMax, `${reason}: ${ms.toFixed(1)} ms`)
  }
  t.equal(
    readForm(file(megabytes('x', 8), 'boundary'), 'multipart/form-data; boundary=boundary').files
      .length,
    1,
  )
})

t.test('a thousand parts are taken', async (t) => {
  const form = readForm(multipart(...Array.from({ length: 1000 }, part)), type)
  t.equal(Object.keys(form.fields).length, 1000)
})

t.test('a name that would reach into the prototype is refused, as field and as file', async (t) => {
  for (const head of [named('__proto__'), `${named('__proto__')}; filename="a"`]) {
    t.match(
      refusal(() => readForm(multipart([head, 'x']), type)),
      { code: 'forbidden_key', status: 400 },
    )
  }
  t.same(readForm(multipart([named('constructor'), 'x']), type).fields, { constructor: 'x' })
})

t.test('urlencoded forms are forms too, within the same bounds', async (t) => {
  const urlencoded = 'application/x-www-form-urlencoded; charset=UTF-8'
  const read = (text: string) => readForm(Buffer.from(text), urlencoded)
  t.same(read('model=dall-e-2&a=1&a=%22x+y%22&%E7%8C%AB=').fields, {
    model: 'dall-e-2',
    a: ['1', '"x y"'],
    猫: '',
  })
  t.equal(refusal(() => read(''))?.code, 'read_request_body_failed')
  t.equal(refusal(() => read('__proto__=1'))?.code, 'forbidden_key')
  t.equal(refusal(() => read('a&'.repeat(1001)))?.code, 'read_request_body_failed')
  t.ok(isFormType(urlencoded))
  t.ok(isFormType('multipart/form-data;boundary=x'))
  t.notOk(isFormType('multipart/form-database'))
  t.notOk(isFormType('application/json'))
  t.notOk(isFormType(''))
})

t.test('reading copies no file, writing copies each once', async (t) => {
  const file = Buffer.alloc(20 * 1024 * 1024, 7)
  const body = multipart([`${named('file')}; filename="a.wav"`, file])
  const before = process.memoryUsage().arrayBuffers
  const form = readForm(body, type)
  t.ok(process.memoryUsage().arrayBuffers - before < 1024 * 1024, 'reading')
  t.equal(form.files[0]?.bytes.buffer, body.buffer, 'a stretch of the body itself')
  formBytes(form)
  t.ok(process.memoryUsage().arrayBuffers - before < 1.1 * file.length, 'writing')
})
