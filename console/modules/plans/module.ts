/** What is sold by the period: plans, and who has subscribed to one. Root makes plans, admins look after both. */
import { Package } from '@lucide/vue'
import { type ConsoleRoute, defineModule } from '../../shell/module.js'

type Part = Pick<ConsoleRoute, 'path' | 'name' | 'title' | 'role' | 'page'>

const title = { en: 'Plans', zh: '套餐' }

const parts: readonly Part[] = [
  { path: '/plans', name: 'plans', title, role: 10, page: () => import('./list/plans-page.vue') },
  {
    path: '/plans/subscribers',
    name: 'plans.subscribers',
    title: { en: 'Subscribers', zh: '订阅者' },
    role: 10,
    page: () => import('./subscribers/subscribers-page.vue'),
  },
  {
    path: '/plans/new',
    name: 'plans.new',
    title: { en: 'New plan', zh: '新建套餐' },
    role: 100,
    page: () => import('./editor/new-plan-page.vue'),
  },
  {
    path: '/plans/:id(\\d+)',
    name: 'plans.edit',
    title: { en: 'Plan', zh: '套餐' },
    role: 100,
    page: () => import('./editor/edit-plan-page.vue'),
  },
]

export default defineModule({
  id: 'plans',
  routes: parts.map((part) => ({ ...part, frame: 'app' })),
  menu: [
    {
      route: 'plans',
      title,
      icon: Package,
      section: 'operate',
      order: 62,
      role: 10,
      under: 'orders',
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
