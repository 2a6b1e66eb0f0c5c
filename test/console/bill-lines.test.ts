/** Bills of upstreams as their consoles export them. */
import t from 'tap'
import { billIn, isTooLarge } from '../../console/modules/margin/bill-file.js'
import { columnsOf, compared, linesOf, readBill } from '../../console/modules/margin/bill-lines.js'

function read(text: string) {
  const file = readBill(text)
  const { amounts, bad } = linesOf(file, columnsOf(file))
  return { amounts: Object.fromEntries(amounts), bad }
}

t.test('[BILL-1] costs as OpenAI exports them', async (t) => {
  const lines = [
    '\uFEFFstart_time,end_time,start_time_iso,end_time_iso,amount_value,amount_currency,line_item,project_id,organization_name',
    '1759622400,1759708800,2025-10-05T00:00:00+00:00,2025-10-06T00:00:00+00:00,0.8958740000000000,usd,"gpt-4o-mini-2024-07-18, input",,"Smith, ""Sons"""',
    '1759622400,1759708800,2025-10-05T00:00:00+00:00,2025-10-06T00:00:00+00:00,1e-7,usd,"gpt-4o-mini-2024-07-18, cached input",,Personal',
    '1759622400,1759708800,2025-10-05T00:00:00+00:00,2025-10-06T00:00:00+00:00,0.1,usd,"gpt-4o-mini-2024-07-18, output",,Personal',
    '1759968000,1760054400,2025-10-09T00:00:00+00:00,2025-10-10T00:00:00+00:00,,,,,',
    '1760054400,1760140800,2025-10-10T00:00:00+00:00,2025-10-11T00:00:00+00:00,0.34090000000000000,eur,gpt-5,,Personal',
    '',
  ]
  t.same(read(lines.join('\r\n')), {
    amounts: { '2025-10-05 gpt-4o-mini-2024-07-18': 995_874_100n },
    bad: [6],
  })
})

t.test('[BILL-1] costs as Anthropic exports them', async (t) => {
  const lines = [
    'usage_date_utc,model,workspace,api_key,usage_type,context_window,token_type,cost_usd,cost_type',
    '2026-01-31,claude-sonnet-4-5,"Team, one",key,message,≤ 200k,input_no_cache,"$1,234.56",token',
    '2026-01-31,claude-sonnet-4-5,"Team\r\ntwo",key,message,≤ 200k,output,($0.56),token',
    '2026-01-31,claude-sonnet-4-5,Default,key,message,≤ 200k,output,"0,75",token',
    '2026-02-30,claude-sonnet-4-5,Default,key,message,≤ 200k,output,1,token',
    '2026-01-31,claude-sonnet-4-5,Default,key,message,≤ 200k,output,,token',
    '',
    '2026-01-31,claude-haiku-4-5,Default,key,message,≤ 200k,output,-$2 USD,token',
  ]
  t.same(read(lines.join('\r\n')), {
    amounts: {
      '2026-01-31 claude-sonnet-4-5': 1_234_000_000_000n,
      '2026-01-31 claude-haiku-4-5': -2_000_000_000n,
    },
    // The second row has two lines.
    bad: [5, 6, 7],
  })
})

t.test('[BILL-1] what an amount may look like', async (t) => {
  const cases: readonly (readonly [string, bigint | undefined])[] = [
    ['"1,234,567.1"', 1_234_567_100_000_000n],
    ['1.5E+2', 150_000_000_000n],
    ['.5', 500_000_000n],
    ['0.0000000005', 1n],
    ['-0.0000000005', -1n],
    ['US$ 3', 3_000_000_000n],
    ...['"1,23"', '"12,34.5"', '-(1)', '--1', '.', '$', 'e5', '1e999', 'free', '1.2.3'].map(
      (text) => [text, undefined] as const,
    ),
  ]
  for (const [text, amount] of cases) {
    const { amounts, bad } = read(`date,model,cost\n2026/1/2,m,${text}`)
    t.equal(amounts['2026-01-02 m'], amount, text)
    t.same(bad, amount === undefined ? [2] : [], text)
  }
})

t.test('[BILL-1] a quotation mark that is never closed hides no line silently', async (t) => {
  const { amounts, bad } = read(
    'date;model;cost;note\n2026-01-01;m;1;ok\n2026-01-01;m;2;"x\n2026-01-01;m;4;y',
  )
  t.same(amounts, { '2026-01-01 m': 1_000_000_000n })
  t.same(bad, [3])
  t.same(read(''), { amounts: {}, bad: [] })
})

t.test('[BILL-1] what one side alone has stands beside nothing, the greatest first', async (t) => {
  const file = readBill('date,model,cost\n2026-01-01,a,1\n2026-01-01,b,3')
  const ours = [
    { day: '2026-01-01', model: 'a', cost: 1_000_000_000 },
    { day: '2026-01-01', model: 'c', cost: '9007199254740993000' },
  ]
  t.same(compared(ours, linesOf(file, columnsOf(file))), [
    { day: '2026-01-01', model: 'c', ours: 9_007_199_254_740_993_000n, theirs: 0n },
    { day: '2026-01-01', model: 'b', ours: 0n, theirs: 3_000_000_000n },
    { day: '2026-01-01', model: 'a', ours: 1_000_000_000n, theirs: 1_000_000_000n },
  ])
})

const bytes = (text: string) => new TextEncoder().encode(text)
const lineOf = (file: ReturnType<typeof billIn>) => {
  if (typeof file === 'string') return file
  const { amounts, bad } = linesOf(file, columnsOf(file))
  return { ...Object.fromEntries(amounts), bad }
}

t.test('[BILL-1] a bill is read in the encodings that spreadsheets write', async (t) => {
  const plain = 'date;model;cost\n2026-01-01;modèle;1.5\n'
  const expected = { '2026-01-01 modèle': 1_500_000_000n, bad: [] }
  t.same(lineOf(billIn(bytes(plain))), expected)
  t.same(lineOf(billIn(bytes(`\uFEFF${plain}`))), expected)
  t.same(lineOf(billIn(new Uint8Array(Buffer.from(plain, 'latin1')))), expected)
  t.same(lineOf(billIn(new Uint8Array(Buffer.from(`\uFEFF${plain}`, 'utf16le')))), expected)
  t.same(lineOf(billIn(bytes('"date","model","cost"\n"2026-01-01","a, ""b""","$1.50"\n'))), {
    '2026-01-01 a, "b"': 1_500_000_000n,
    bad: [],
  })
})

t.test('[BILL-1] a file that is no bill is refused with its reason', async (t) => {
  t.equal(billIn(bytes('')), 'empty')
  t.equal(billIn(bytes('\n \n')), 'empty')
  t.equal(billIn(bytes('hello\nworld')), 'oneColumn')
  t.equal(billIn(bytes('2026-01-01,m,1.5\n2026-01-02,m,2')), 'noHeads')
  t.equal(billIn(bytes('PK\u0003\u0004 sheet')), 'noText')
  t.equal(billIn(bytes('%PDF-1.7')), 'noText')
  t.equal(billIn(new Uint8Array([65, 0, 66])), 'noText')
  t.equal(billIn(new Uint8Array(20 * 1024 * 1024 + 1).fill(65)), 'tooLarge')
  t.ok(isTooLarge({ size: 50 * 1024 * 1024 }))
})

t.test('[BILL-1] what is wrong with lines is counted by its kind', async (t) => {
  const text = [
    'date;model;cost;currency',
    '31.01.2026;m;1;USD',
    '2026-01-01;m;1,50;USD',
    '2026-01-01;m;1.234,56;USD',
    '2026-01-01;m;much;USD',
    '2026-01-01;m;1;EUR',
    '2026-01-01;m;2;USD',
  ]
  const file = readBill(text.join('\n'))
  const { amounts, bad, faults } = linesOf(file, columnsOf(file))
  t.same(Object.fromEntries(amounts), { '2026-01-01 m': 2_000_000_000n })
  t.same(bad, [2, 3, 4, 5, 6])
  t.same(Object.fromEntries(faults), { day: 1, comma: 2, amount: 1, currency: 1 })
})
