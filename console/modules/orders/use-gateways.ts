/** Every payment gateway there is, in the language of whoever looks at them. */
import { useQuery } from '@tanstack/vue-query'
import { computed } from 'vue'
import { readGateways } from '../../api/payments.js'
import { learnTexts, shippedText } from '../../ui/shipped-texts.js'

export function useGateways() {
  const query = useQuery({ queryKey: ['payments', 'gateways'], queryFn: readAndLearn })
  const data = computed(() =>
    query.data.value?.map((gateway) => ({ ...gateway, title: shippedText(gateway.title) })),
  )
  return { ...query, data }
}

async function readAndLearn() {
  const gateways = await readGateways()
  for (const { translations } of gateways) learnTexts(translations)
  return gateways
}
