/** Columns of the table of plans. */
import type { DataTableColumns } from 'naive-ui'
import { h, type VNodeChild } from 'vue'
import type { ComposerTranslation } from 'vue-i18n'
import type { SellablePlan } from '../../../api/subscriptions.js'
import { currencyText } from '../../../ui/currency-text.js'
import RowSwitch from '../../../ui/list/row-switch.vue'
import { type Quota, useMoney } from '../../../ui/money.js'
import { secondsText, usePlanWords } from '../../../ui/plan-words.js'
import RowActions from './row-actions.vue'
import SubscriberCount from './subscriber-count.vue'

export type PlanAction = 'view' | 'edit' | 'copy' | 'give' | 'reset'

export interface ColumnOptions {
  readonly t: ComposerTranslation
  /** Only root makes and changes plans. */
  readonly isRoot: boolean
  readonly put: (plan: SellablePlan, isOn: boolean) => Promise<unknown>
  readonly run: (action: PlanAction, plan: SellablePlan) => void
}

type Columns = DataTableColumns<SellablePlan>

export function planColumns(terms: ColumnOptions): Columns {
  return [...identity(terms), ...sale(terms), last(terms)]
}

function identity({ t, put }: ColumnOptions): Columns {
  return [
    {
      key: 'enabled',
      title: t('plans.columns.enabled'),
      width: 84,
      render: (plan) =>
        h(RowSwitch, {
          value: plan.enabled,
          name: t('plans.switch', { title: plan.title }),
          change: (isOn: boolean) => put(plan, isOn),
        }),
    },
    {
      key: 'title',
      title: t('plans.columns.title'),
      minWidth: 140,
      render: ({ title, subtitle, enabled }) => [
        h('strong', { title, style: clamped }, title),
        ...(subtitle === '' ? [] : [quiet(subtitle, clamped)]),
        ...(enabled ? [] : [quiet(t('plans.states.off'))]),
      ],
    },
  ]
}

function sale({ t }: ColumnOptions): Columns {
  const { money } = useMoney()
  const words = usePlanWords()
  return [
    {
      key: 'price',
      title: t('plans.columns.price'),
      width: 144,
      render: (plan) => [
        h('div', { class: 'figures' }, pricesText(plan)),
        plan.allow_balance_pay
          ? quiet(t('plans.fromBalance', { price: money(plan.balance_price) }))
          : quiet(t('plans.notFromBalance')),
      ],
    },
    {
      key: 'duration',
      title: t('plans.columns.duration'),
      width: 92,
      render: words.duration,
    },
    {
      key: 'quota',
      title: t('plans.columns.quota'),
      width: 150,
      render: (plan) => quotaCell({ t, money }, plan),
    },
    {
      key: 'subscribers',
      title: t('plans.columns.subscribers'),
      width: 112,
      align: 'right',
      render: (plan) => h(SubscriberCount, { plan }),
    },
    {
      key: 'sort_order',
      title: t('plans.columns.order'),
      width: 68,
      align: 'right',
      render: ({ sort_order }) => h('span', { class: 'figures quiet' }, sort_order),
    },
  ]
}

function pricesText({ price_amount, currency, prices }: SellablePlan): string {
  const all = [[currency, price_amount] as const, ...Object.entries(prices)]
  return all.map(([one, amount]) => currencyText(amount, one)).join(' · ')
}

function quotaCell(
  { t, money }: Pick<ColumnOptions, 't'> & { readonly money: (quota: Quota) => string },
  plan: SellablePlan,
): VNodeChild {
  const { total_amount, quota_reset_period: period, quota_reset_custom_seconds, caps } = plan
  const isBound = BigInt(total_amount) > 0n
  const span = secondsText(quota_reset_custom_seconds)
  return [
    h('div', { class: 'figures' }, isBound ? money(total_amount) : t('plans.noBound')),
    ...(isBound ? [quiet(t(`plans.every.${period}`, { span }))] : []),
    ...(caps.length > 0 ? [quiet(t('plans.capCount', { count: caps.length }, caps.length))] : []),
  ]
}

function quiet(text: string, style = {}): VNodeChild {
  return h('div', { class: 'quiet', style }, text)
}

const clamped = {
  ...({ display: '-webkit-box', overflow: 'hidden' } as const),
  ...({ '-webkit-line-clamp': '2', '-webkit-box-orient': 'vertical' } as const),
}

function last({ t, isRoot, run }: ColumnOptions): Columns[number] {
  return {
    key: 'actions',
    title: () => h('span', { class: 'unseen' }, t('shell.more')),
    width: isRoot ? 124 : 60,
    fixed: 'right',
    render: (plan) =>
      h(RowActions, { plan, isRoot, onRun: (action: PlanAction) => run(action, plan) }),
  }
}
