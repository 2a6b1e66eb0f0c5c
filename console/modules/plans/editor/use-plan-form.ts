/** The form of a plan, new or there already, over what the gateway checks. */
import { computed } from 'vue'
import { useI18n } from 'vue-i18n'
import type { PlanDraft, PlanOffer } from '../../../api/subscriptions.js'
import { type Form, useForm } from '../../../ui/form/use-form.js'
import { useMoney } from '../../../ui/money.js'
import { useTopUpInfo } from '../../../ui/use-top-up-info.js'
import { draftOf, isAmount } from './plan-draft.js'
import { allPrices, formOf, type PlanValues } from './plan-values.js'

export interface PlanFormOptions {
  readonly initial: PlanValues
  readonly save: (form: PlanDraft) => Promise<unknown>
  /** What sells it as it is stored. */
  readonly offers?: readonly PlanOffer[]
}

export function usePlanForm({ initial, save, offers }: PlanFormOptions) {
  const { t } = useI18n()
  const { perUnit } = useMoney()
  const info = useTopUpInfo()
  const sellers = computed(() => info.data.value?.gateways ?? [])
  const form: Form<PlanValues> = useForm({
    initial,
    check: faultsOf,
    fields: () => [...Object.keys(initial), ...capFields(form.values)],
    save: (values) => save(formOf(values)),
  })

  function faultsOf(values: PlanValues): Record<string, string> {
    const { title, price_amount, prices, bounded, total_amount, caps } = values
    const currencies = allPrices(values).map(({ currency }) => currency)
    const twice = currencies.find((one, place) => currencies.indexOf(one) !== place)
    const half = prices.some(({ currency, amount }) => currency === '' || !isAmount(amount))
    return {
      ...(title.trim() === '' && { title: t('plans.form.noTitle') }),
      ...(!isAmount(price_amount) && { price_amount: t('plans.form.noAmount') }),
      ...(twice && { prices: t('plans.form.twice', { currency: twice }) }),
      ...(half && { prices: t('plans.form.halfPrice') }),
      ...(bounded && total_amount === 0 && { total_amount: t('plans.form.noQuota') }),
      ...Object.fromEntries(
        caps.flatMap(({ amount }, place) =>
          amount === 0 ? [[`caps.${place}.amount`, t('plans.form.noCap')]] : [],
        ),
      ),
    }
  }

  const draft = computed(() => {
    const plan = draftOf(form.values, { perUnit: perUnit.value, sellers: sellers.value })
    return offers === undefined || form.changed.value ? plan : { ...plan, offers }
  })
  return { form, draft, sellers }
}

/** The gateway names what is wrong within a cap by its place. */
function capFields({ caps }: PlanValues): readonly string[] {
  return caps.flatMap((_, place) => [`caps.${place}.amount`, `caps.${place}.custom_seconds`])
}
