/** Image editing: pictures by content, whichever way they came, and what they come to. */
import t from 'tap'
import create from '../../../plugins/operations/edits/index.js'
import { file, form, json, played, refusedField, sse } from './media/asking.js'
import { gif, html, jpeg, png, webps } from './media/samples.js'

const edits = create()
const fields = { model: 'gpt-image-1', prompt: 'a hat on it' }

t.test('a form with pictures passes, its texts read as numbers and flags', async (t) => {
  const body = form(
    { ...fields, n: '2', stream: 'true' },
    file('image[]', png()),
    file('image[]', jpeg()),
    file('mask', webps.lossless!),
  )
  t.same(edits.check(body), { model: 'gpt-image-1', stream: true, wantsUsage: true })
  t.equal(refusedField(edits, form({ ...fields, n: 'two' }, file('image', png()))), 'n')
  t.equal(refusedField(edits, form({ ...fields, n: '0' }, file('image', png()))), 'n')
  t.equal(refusedField(edits, form({ ...fields, stream: 'maybe' }, file('image', png()))), 'stream')
})

t.test('one field has one value: which of two was meant is nobody’s guess', async (t) => {
  for (const field of ['model', 'n', 'size', 'quality']) {
    const twice = form({ ...fields, [field]: ['1', '2'] }, file('image', png()))
    t.equal(refusedField(edits, twice), field)
  }
})

t.test('a model has to be named', async (t) => {
  t.equal(refusedField(edits, form({ prompt: 'x' }, file('image', png()))), 'model')
})

t.test('[FMT-11] an empty or disguised file is refused, and its field is named', async (t) => {
  const refused = (field: string, bytes: Buffer) =>
    refusedField(edits, form(fields, file('image', png()), file(field, bytes, 'a.png')))
  t.equal(refused('image[]', gif), 'image[]')
  t.equal(refused('image', Buffer.alloc(0)), 'image')
  t.equal(refused('mask', html), 'mask')
  t.equal(refused('reference', gif), 'reference', 'whatever the field is called')
  t.equal(refusedField(edits, form(fields)), 'image', 'none at all')
  t.equal(refusedField(edits, form(fields, file('mask', png()))), 'image', 'a mask is no picture')
})

t.test('[FMT-11] JSON may name addresses and files, or hold pictures as base64', async (t) => {
  const data = (bytes: Buffer, mime = 'image/png') =>
    `data:${mime};base64,${bytes.toString('base64')}`
  const good: readonly object[] = [
    { images: [{ image_url: 'https://example.com/a.png' }, { file_id: 'file-123' }] },
    { images: [{ image_url: data(png()) }], mask: { image_url: data(webps.lossy!) } },
    { image: 'https://example.com/a.png' },
    { image: [data(jpeg()), png().toString('base64')] },
    { image: { image_url: { url: data(png()) } } },
  ]
  for (const over of good) {
    t.equal(
      refusedField(edits, json({ ...fields, ...over })),
      undefined,
      JSON.stringify(over).slice(0, 60),
    )
  }
  const bad: Readonly<Record<string, readonly object[]>> = {
    images: [{ images: [{ image_url: data(gif) }] }, { images: ['not a picture'] }],
    image: [{}, { image: data(html) }, { image: '' }, { image: 'javascript:alert(1)' }],
    mask: [{ image: data(png()), mask: { image_url: data(gif) } }],
  }
  for (const [field, bodies] of Object.entries(bad)) {
    for (const over of bodies) {
      t.equal(
        refusedField(edits, json({ ...fields, ...over })),
        field,
        JSON.stringify(over).slice(0, 60),
      )
    }
  }
})

t.test('a form asks for another model by its field', async (t) => {
  const body = form(fields, file('image', png()))
  t.match(edits.named(body, 'mapped'), {
    kind: 'form',
    fields: { model: 'mapped', prompt: 'a hat on it' },
    files: [{ field: 'image' }],
  })
  t.equal(edits.named(body, 'gpt-image-1'), body)
})

t.test('pictures sent along are part of the estimate, by their size', async (t) => {
  const tokens = (fidelity: string, ...sizes: readonly [number, number][]) =>
    edits.estimate(
      form(
        { ...fields, input_fidelity: fidelity },
        ...sizes.map(([width, height]) => file('image[]', png(width, height))),
      ),
    ).inputImage
  t.equal(tokens('low', [512, 512]), 65 + 129)
  t.equal(tokens('low', [1024, 1024]), 65 + 129, 'scaled down to 512 pixels')
  t.equal(tokens('low', [1536, 512]), 65 + 3 * 129)
  t.equal(tokens('low', [100, 100], [512, 1024]), 65 + 129 + 65 + 2 * 129)
  t.equal(tokens('high', [512, 512]), 65 + 129 + 4160)
  t.equal(tokens('high', [512, 1024]), 65 + 2 * 129 + 6240)
  t.match(edits.estimate(json({ ...fields, image: ['https://x/a', 'https://x/b'] })), {
    inputImage: 2 * (65 + 129),
    quantity: 1,
  })
  t.match(edits.estimate(form({ ...fields, n: '3' }, file('image', png()))), { quantity: 3 })
})

t.test('answers and streams are read like those of generation', async (t) => {
  const body = form({ ...fields, size: '1024x1024', quality: 'low' }, file('image', png()))
  const usage = {
    input_tokens: 320,
    input_tokens_details: { text_tokens: 20, image_tokens: 300 },
    output_tokens: 272,
  }
  const counted = { input: 20, inputImage: 300, outputImage: 272, quantity: 1 }
  t.match(edits.readReply({ data: [{ b64_json: 'x' }], usage }, body).usage, counted)
  const stream =
    sse({ type: 'image_edit.partial_image', b64_json: 'x' }) +
    sse({ type: 'image_edit.completed', b64_json: 'x', usage })
  const { out, watch } = played(edits.watch('text/event-stream', body), stream)
  t.equal(out.toString(), stream)
  t.match(watch, { ended: true, usage: counted })
})
