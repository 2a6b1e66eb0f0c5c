/** What of the component library is Chinese, fetched by those who read it. */
export { dateZhCN, zhCN } from 'naive-ui'
