/** What was sold: orders of everybody, their receipts, revenue, and the payment gateways. */
import { Receipt } from '@lucide/vue'
import { type ConsoleRoute, defineModule } from '../../shell/module.js'

type Part = Pick<ConsoleRoute, 'path' | 'name' | 'title' | 'page'>

const title = { en: 'Orders', zh: '订单' }

const parts: readonly Part[] = [
  { path: '/orders', name: 'orders', title, page: () => import('./orders-page.vue') },
  {
    path: '/orders/receipts',
    name: 'orders.receipts',
    title: { en: 'Receipts', zh: '收据' },
    page: () => import('./receipts-page.vue'),
  },
  {
    path: '/orders/revenue',
    name: 'orders.revenue',
    title: { en: 'Revenue', zh: '收入' },
    page: () => import('./revenue-page.vue'),
  },
  {
    path: '/orders/gateways',
    name: 'orders.gateways',
    title: { en: 'Payment gateways', zh: '支付网关' },
    page: () => import('./gateways-page.vue'),
  },
]

export default defineModule({
  id: 'orders',
  routes: parts.map((part) => ({ ...part, frame: 'app', role: 10 })),
  menu: [
    {
      route: 'orders',
      title,
      icon: Receipt,
      section: 'operate',
      order: 60,
      role: 10,
      called: { en: 'Sales', zh: '销售' },
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
