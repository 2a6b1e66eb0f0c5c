/** Prices of a channel's own as lines: what is typed becomes the figures of the price list, and nothing else is touched. */
import t from 'tap'
import {
  figureFault,
  isWhole,
  lineNamedIn,
  linesOf,
  modeOfLine,
  nameFaults,
  newLine,
  readPrices,
  textFault,
  textOf,
  withMode,
  withText,
} from '../../console/modules/channels/form/cost-lines.js'

t.test('prices per million tokens are written as ratios, exact to the digit', async (t) => {
  let line = { ...newLine(), model: ' gpt-4o ' }
  line = withText(line, 'input', '2.50')
  line = withText(line, 'output', '10')
  line = withText(line, 'cacheRead', '1.25')
  t.strictSame(JSON.parse(textOf([line])), {
    'gpt-4o': { model_ratio: '1.25', completion_ratio: '4', cache_ratio: '0.5' },
  })
  t.strictSame(JSON.parse(textOf([withText(line, 'cacheRead', '')])), {
    'gpt-4o': { model_ratio: '1.25', completion_ratio: '4' },
  })
})

t.test('other prices stay where the input price changes', async (t) => {
  const [line] = linesOf('{"m": {"model_ratio": 1, "completion_ratio": "4"}}') ?? []
  t.strictSame(JSON.parse(textOf([withText(line!, 'input', '4')])), {
    m: { model_ratio: '2', completion_ratio: '2' },
  })
})

t.test('a line that nobody touched is written as it was', async (t) => {
  const text =
    '{"a": {"model_ratio": 1e-7, "colour": "red"}, "b": {"model_price": "0.040"}, "c": {"model_ratio": 0.12345678901234567890123}}'
  const [a, b, c] = linesOf(text) ?? []
  const written = JSON.parse(textOf([a!, withText(b!, 'call', '0.05'), c!]))
  // A number whose text differs from what programs write is kept as its text.
  t.strictSame(written, {
    a: { model_ratio: 1e-7, colour: 'red' },
    b: { model_price: '0.05' },
    c: { model_ratio: '0.12345678901234567890123' },
  })
  t.strictSame(JSON.parse(textOf([withText(a!, 'input', '4')])).a, {
    model_ratio: '2',
    colour: 'red',
  })
})

t.test('what is no figure stays typed, and becomes one once it can', async (t) => {
  let line = { ...newLine(), model: 'm' }
  t.equal(figureFault(line, 'input'), 'needed')
  line = withText(line, 'output', '3')
  t.equal(figureFault(line, 'output'), 'needsInput')
  t.notOk(isWhole(line))
  line = withText(line, 'input', 'x')
  t.equal(figureFault(line, 'input'), 'noFigure')
  line = withText(line, 'input', '-1')
  t.equal(figureFault(line, 'input'), 'noFigure')
  line = withText(line, 'input', '1')
  t.ok(isWhole(line), 'the output price is taken with it')
  t.strictSame(JSON.parse(textOf([line])).m, { model_ratio: '0.5', completion_ratio: '3' })
  for (const text of ['NaN', '1e30', '1234567890123', '0.1234567890123456789012345', 'Infinity']) {
    t.equal(figureFault(withText(line, 'input', text), 'input'), 'noFigure', text)
  }
  t.ok(isWhole(withText(line, 'input', '0')), 'an upstream may charge nothing')
})

t.test('figures of a channel that cannot be read are shown and named', async (t) => {
  const [line] = linesOf('{"m": {"model_ratio": "much"}}') ?? []
  t.equal(line?.typed.input, 'much')
  t.equal(figureFault(line!, 'input'), 'noFigure')
})

t.test('how a model is charged can be changed, and free is free', async (t) => {
  const [line] = linesOf('{"m": {"model_ratio": "2"}}') ?? []
  const call = withMode(line!, 'price')
  t.equal(figureFault(call, 'call'), 'needed')
  t.strictSame(JSON.parse(textOf([withText(call, 'call', '0.02')])).m, {
    model_ratio: '2',
    model_price: '0.02',
  })
  t.strictSame(JSON.parse(textOf([withMode({ ...newLine(), model: 'm' }, 'free')])).m, {
    free: true,
  })
})

t.test('a rate card is a line, and stays as it is', async (t) => {
  const text = JSON.stringify({ clip: { rate_card: { unit: 'second', price: '0.1', step: '2' } } })
  const [line] = linesOf(text) ?? []
  t.equal(modeOfLine(line!), 'card')
  t.ok(isWhole(line!))
  t.equal(JSON.stringify(JSON.parse(textOf([line!]))), text)
})

t.test('what no line can show stays JSON', async (t) => {
  t.strictSame(linesOf(' '), [])
  for (const text of [
    '[]',
    '{',
    '{"m": 1}',
    '{"m": null}',
    '{"m": {"model_ratio": true}}',
    '{"m": {"rate_card": []}}',
    '{"m": {"rate_card": {"unit": "s", "rates": [{}]}}}',
  ]) {
    t.equal(linesOf(text), undefined, text)
  }
})

t.test('a name that stands twice is named, in lines and in JSON', async (t) => {
  t.strictSame(textFault('{"m": {"model_ratio": 1}, "m": {"model_ratio": 2}}'), { twice: 'm' })
  t.equal(textFault('{"m"'), 'noObject')
  const lines = ['m', ' m', ''].map((model) => ({ ...newLine(), model }))
  t.strictSame([...nameFaults(lines).values()], ['twice', 'needed'])
})

t.test('a refusal is shown at the line that it names', async (t) => {
  const lines = ['m', 'm-2'].map((model) => ({ ...newLine(), model }))
  t.equal(lineNamedIn('cost_terms must hold a price for "m-2".', lines), lines[1]?.key)
  t.equal(lineNamedIn('cost_terms must not hold "m" for "x".', lines), lines[0]?.key)
  t.equal(lineNamedIn('cost_terms is larger than 2 bytes.', lines), undefined)
})

t.test('numbers with more digits than a program keeps are sent as texts', async (t) => {
  t.strictSame(readPrices('{"m": {"model_ratio": 1.0000000000000000001, "model_price": 2}}'), {
    m: { model_ratio: '1.0000000000000000001', model_price: 2 },
  })
})
