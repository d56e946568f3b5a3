-- Creates the daemons' role, which owns one schema, and its database. Run it with psql 14 or newer as a superuser:
--   WIREROOM_DATABASE_PASSWORD=… psql --file role.sql
\getenv password WIREROOM_DATABASE_PASSWORD
CREATE ROLE wireroom LOGIN PASSWORD :'password' CONNECTION LIMIT 90;
CREATE DATABASE wireroom ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE wireroom FROM PUBLIC;
GRANT CONNECT ON DATABASE wireroom TO wireroom;
\connect wireroom
REVOKE ALL ON SCHEMA public FROM PUBLIC;
-- The schema has the role's name, so that the default search path finds it.
CREATE SCHEMA wireroom AUTHORIZATION wireroom;
