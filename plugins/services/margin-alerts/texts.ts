/** What root reads when a margin is low. */
import type { NoticeLanguage } from '../../../kernel/toolkit/notifier/index.js'
import type { NewNotice } from '../notifications/index.js'
import { billionthsPerQuota, type DayMargin, marginOf } from '../usage-log/index.js'

export function noticeOf(sums: DayMargin, day: string, language: NoticeLanguage): NewNotice {
  const isAll = sums.channelId === 0
  const words = { en, zh }[language === 'zh' ? 'zh' : 'en']
  const amounts = [
    dollars(sums.knownQuota * billionthsPerQuota),
    dollars(sums.cost),
    dollars(marginOf(sums)),
  ]
  return {
    type: 'margin_low',
    title: isAll ? words.allTitle : words.title,
    content: isAll ? words.all : words.content,
    values: isAll ? [day, ...amounts] : [day, nameOf(sums), ...amounts],
  }
}

function nameOf({ channelId, name }: DayMargin): string {
  return name === '' ? `#${channelId}` : `${name} (#${channelId})`
}

const en = {
  title: 'The margin of a channel is low',
  content:
    'On {{value}} (UTC) the channel {{value}} earned {{value}} and cost {{value}} upstream: a margin of {{value}}. Look at its prices, its group ratios and its cost terms.',
  allTitle: 'The margin of all channels together is low',
  all: 'On {{value}} (UTC) all channels together earned {{value}} and cost {{value}} upstream: a margin of {{value}}. Counted are requests whose cost is known.',
}

const zh = {
  title: '渠道毛利偏低',
  content:
    '{{value}}（UTC）渠道 {{value}} 的收入为 {{value}}，上游成本为 {{value}}，毛利为 {{value}}。请检查其价格、分组倍率和成本设置。',
  allTitle: '全部渠道的总毛利偏低',
  all: '{{value}}（UTC）全部渠道的收入为 {{value}}，上游成本为 {{value}}，毛利为 {{value}}。仅统计成本已知的请求。',
}

/** Of billionths, to the hundredth part of a cent. */
function dollars(billionths: bigint): string {
  const sign = billionths < 0n ? '-' : ''
  const size = billionths < 0n ? -billionths : billionths
  const parts = (size + 50_000n) / 100_000n
  return `${sign}$${parts / 10_000n}.${String(parts % 10_000n).padStart(4, '0')}`
}
