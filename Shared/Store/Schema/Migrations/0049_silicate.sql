LOCK TABLE slot IN ACCESS EXCLUSIVE MODE; -- before anything else, as engines do
SELECT add_parameter('silicate');
