/** What root reads when margins are low. */
import type { NoticeLanguage } from '../../../kernel/toolkit/notifier/index.js'
import type { NewNotice } from '../notifications/index.js'
import type { DayMargin } from '../usage-log/index.js'

/** Of one channel, or of all together: `channelId` 0. */
export interface LowMargin extends DayMargin {
  /** `2026-01-31`, UTC. */
  readonly day: string
}

/** Channels that are named; of more the number is given. */
const namedMax = 20

/** One notice, however many channels there are. */
export function noticeOf(low: readonly LowMargin[], language: NoticeLanguage): NewNotice {
  const words = { en, zh }[language === 'zh' ? 'zh' : 'en']
  const [first] = low
  if (low.length === 1 && first !== undefined) {
    const isAll = first.channelId === 0
    const { day, ...sums } = first
    return {
      type: 'margin_low',
      title: isAll ? words.allTitle : words.title,
      content: `${isAll ? words.all : words.one} ${words.advice}`.trim(),
      values: [day, ...(isAll ? [] : [nameOf(first)]), ...amountsOf(sums)],
    }
  }
  const named = low.slice(0, namedMax)
  const lines = named.map(({ channelId }) => (channelId === 0 ? words.allLine : words.line))
  const rest = low.length - named.length
  return {
    type: 'margin_low',
    title: words.severalTitle,
    content: [
      words.several,
      '',
      ...lines,
      ...(rest > 0 ? [words.more] : []),
      '',
      words.advice,
    ].join('\n'),
    values: [
      ...named.flatMap((one) => [
        one.day,
        ...(one.channelId === 0 ? [] : [nameOf(one)]),
        ...amountsOf(one),
      ]),
      ...(rest > 0 ? [String(rest)] : []),
    ],
  }
}

function nameOf({ channelId, name }: DayMargin): string {
  return name === '' ? `#${channelId}` : `${name} (#${channelId})`
}

function amountsOf({ revenue, cost, margin }: Pick<DayMargin, 'revenue' | 'cost' | 'margin'>) {
  return [dollars(revenue), dollars(cost), dollars(margin)]
}

const en = {
  title: 'The margin of a channel is low',
  one: 'On {{value}} (UTC) the channel {{value}} earned {{value}} and its upstream charged {{value}}, which leaves {{value}}.',
  allTitle: 'The margin of all channels together is low',
  all: 'On {{value}} (UTC) all channels together earned {{value}} and their upstreams charged {{value}}, which leaves {{value}}.',
  severalTitle: 'The margins of several channels are low',
  several: 'Their days are in UTC:',
  line: '{{value}}, channel {{value}}: earned {{value}}, upstream {{value}}, left {{value}}',
  allLine: '{{value}}, all channels together: earned {{value}}, upstream {{value}}, left {{value}}',
  more: 'and {{value}} more, which the page Margin shows.',
  advice:
    'Only requests whose cost is known are counted. Check the prices, the group ratios and the cost terms.',
}

const zh = {
  title: '渠道毛利偏低',
  one: '{{value}}（UTC），渠道 {{value}} 收入 {{value}}，上游费用 {{value}}，毛利 {{value}}。',
  allTitle: '全部渠道的总毛利偏低',
  all: '{{value}}（UTC），全部渠道合计收入 {{value}}，上游费用 {{value}}，毛利 {{value}}。',
  severalTitle: '多个渠道毛利偏低',
  several: '以下日期均为 UTC：',
  line: '{{value}}，渠道 {{value}}：收入 {{value}}，上游费用 {{value}}，毛利 {{value}}',
  allLine: '{{value}}，全部渠道合计：收入 {{value}}，上游费用 {{value}}，毛利 {{value}}',
  more: '另有 {{value}} 个渠道，详见“毛利”页面。',
  advice: '仅统计成本已知的请求。请检查价格、分组倍率和成本设置。',
}

/** Of billionths, to the hundredth part of a cent; cents are always shown, and smaller parts where there are any. */
function dollars(billionths: bigint): string {
  const sign = billionths < 0n ? '-' : ''
  const size = billionths < 0n ? -billionths : billionths
  const parts = (size + 50_000n) / 100_000n
  const fraction = String(parts % 10_000n).padStart(4, '0')
  return `${sign}$${parts / 10_000n}.${fraction.replace(/0{1,2}$/, '')}`
}
