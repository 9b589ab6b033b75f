/** Usual paths of GraphQL endpoints. */
export const graphqlPlaces = ['/graphql', '/api/graphql', '/v1/graphql', '/graphql/v1', '/query', '/gql'];
